BEGIN { stack(5).depth = 2; }
