BEGIN { keyed[nosuch] = 1; }
tick-1s /keyed[1]/ { trace(keyed[2]); }
END { trace(nosuch2); }
