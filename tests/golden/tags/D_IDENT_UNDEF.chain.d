BEGIN { x.y.z = 1; }
