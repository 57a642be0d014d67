hardware:cache-misses: { exit(0); }
