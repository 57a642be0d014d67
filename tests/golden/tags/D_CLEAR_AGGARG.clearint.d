BEGIN { clear(5); }
