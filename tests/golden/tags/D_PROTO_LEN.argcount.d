BEGIN { x = strlen(); }
