BEGIN { x = nosuch[1]; }
