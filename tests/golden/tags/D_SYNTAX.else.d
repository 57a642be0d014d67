BEGIN { else x; }
