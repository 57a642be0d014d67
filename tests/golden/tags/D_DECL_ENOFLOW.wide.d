enum e { TOOBIG = 0x100000000 };
