BEGIN { stack(-3); }
