BEGIN { @a = count(3); }
