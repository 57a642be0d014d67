#pragma D depends_on library nothing.d
BEGIN { }
