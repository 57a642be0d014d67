#pragma D option errfmt=json
BEGIN { x = ; }
END { trace(x); y = 08; }
tick-1s { trace(nosuch()); }
