int a[4]; BEGIN { if (a) { exit(0); } }
