struct a { int x; };
struct b { int x; };
struct a p;
struct b q;
BEGIN { @a[p] = count(); @b[q] = count(); printa(@a, @b); }
