int a[3]; BEGIN { c = !a; }
