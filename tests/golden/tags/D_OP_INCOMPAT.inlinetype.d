inline string f = 5; BEGIN { x = f; }
