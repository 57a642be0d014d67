BEGIN { setopt("aggsortrex"); }
