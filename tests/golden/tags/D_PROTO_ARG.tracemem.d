BEGIN { tracemem(123, "x"); }
