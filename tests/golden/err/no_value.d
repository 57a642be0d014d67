int x = 5;
BEGIN { @a = count(); trunc(a, 5); }
