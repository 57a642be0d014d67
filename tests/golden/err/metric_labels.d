#pragma D metric x labels a b
BEGIN { @x[1] = count(); }
