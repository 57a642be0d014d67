struct a { int x; };
struct a p;
BEGIN { @a[p] = count(); @b[uaddr(5)] = count(); printa(@a, @b); }
