BEGIN { x = 1
