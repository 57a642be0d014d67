#pragma D depends_on kernel x
BEGIN { }
