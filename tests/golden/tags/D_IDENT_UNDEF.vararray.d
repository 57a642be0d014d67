int a[x];
