BEGIN { x = 4; ustack(5, x); }
