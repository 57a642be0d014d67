BEGIN { @a[stack()] = count(); @b[ustack()] = count(); printa(@a, @b); }
