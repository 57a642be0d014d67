BEGIN { @[0][1] = count(); }
