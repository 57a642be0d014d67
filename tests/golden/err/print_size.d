struct never; BEGIN { print(*(struct never *)0); }
