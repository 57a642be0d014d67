BEGIN { x = (struct foo)5; }
