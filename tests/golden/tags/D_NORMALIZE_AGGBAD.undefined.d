BEGIN { normalize(@nosuch, 1); }
