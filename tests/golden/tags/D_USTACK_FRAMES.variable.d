BEGIN { x = 4; ustack(x); }
