int a[3]; BEGIN { a = 1; }
