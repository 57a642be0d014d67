BEGIN { x = timestmp; }
