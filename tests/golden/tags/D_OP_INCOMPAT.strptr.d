BEGIN { x = (int *)8; y = x == "a"; z = x < 5; w = "a" == 5; }
