BEGIN { alloca(-1); }
