BEGIN { trace(strtok(5, 6)); }
