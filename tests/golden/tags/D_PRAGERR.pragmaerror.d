#pragma D error this is not for you
BEGIN { }
