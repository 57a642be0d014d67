struct out { int a; int b; };
provider p { probe x(int a : struct out *a); };
BEGIN { }
