BEGIN { trunc(@x); }
