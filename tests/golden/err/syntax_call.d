/* A call without parentheses, at the beginning of a statement. */
BEGIN { printf "%d\n"; }
BEGIN { trace(1); exit 0; }
BEGIN { x 3; }
BEGIN { y = x 3; this->x 4; }
