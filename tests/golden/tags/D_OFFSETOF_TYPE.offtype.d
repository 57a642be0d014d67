BEGIN { x = offsetof(int, b); }
