int a[3]; BEGIN { a[3] = 1; }
