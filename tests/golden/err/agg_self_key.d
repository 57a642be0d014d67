BEGIN { @a[(@a[1] = count(), 2)] = count(); }
