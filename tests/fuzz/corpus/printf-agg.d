BEGIN { @a[pid] = count(); printf("%s %6d %@8d\n", @a); }
