struct foo`bar { int a; };
