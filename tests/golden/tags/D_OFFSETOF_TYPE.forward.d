struct never;
BEGIN { trace(offsetof(struct never, x)); }
