dtmalloc:::temp { exit(0); }
