BEGIN { @a = nosuch(3); }
