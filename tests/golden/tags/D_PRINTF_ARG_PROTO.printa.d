BEGIN { @a[1] = count(); printa("%d %s %s\n", @a); }
