BEGIN { if (x) } trace(1); }
END { nosuch(); }
tick-1s { trace(1);
tick-2s { nosuch(2); }
