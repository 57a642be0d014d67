BEGIN { setopt("aggsortpos", "first"); }
