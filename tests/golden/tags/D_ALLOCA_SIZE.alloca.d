BEGIN { alloca(1048577); }
