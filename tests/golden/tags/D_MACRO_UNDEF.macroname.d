BEGIN { $nosuch; }
