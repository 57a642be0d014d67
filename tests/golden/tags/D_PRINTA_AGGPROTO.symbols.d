BEGIN { @a[sym(5)] = count(); @b[stack()] = count(); printa(@a, @b); }
