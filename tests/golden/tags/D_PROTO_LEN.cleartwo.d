BEGIN { @a = count(); clear(@a, 2); }
