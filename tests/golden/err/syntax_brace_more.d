BEGIN { trace(1); } }
END { nosuch(); }
