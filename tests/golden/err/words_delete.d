BEGIN { delete(@x[1]); }
