BEGIN { $5; }
