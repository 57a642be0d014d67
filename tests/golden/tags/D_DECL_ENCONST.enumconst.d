enum { A = pid };
BEGIN { }
