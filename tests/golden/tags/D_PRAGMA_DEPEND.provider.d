#pragma D depends_on provider nothing
BEGIN { }
