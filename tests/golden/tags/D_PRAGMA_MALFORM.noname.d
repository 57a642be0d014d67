#pragma D
BEGIN { trace(1); }
