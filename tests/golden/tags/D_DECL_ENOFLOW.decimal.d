enum e { TOOBIG = 2147483648 };
