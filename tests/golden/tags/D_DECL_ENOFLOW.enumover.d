enum { A = 0x7fffffff, B };
BEGIN { }
