BEGIN { @[ustack] = count(); }
