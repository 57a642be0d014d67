BEGIN { normalize(); }
