long long long x;
BEGIN { }
