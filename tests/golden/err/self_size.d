self int a[1000000];
BEGIN { self->a[5] = 1; }
