BEGIN { strlne("x"); }
