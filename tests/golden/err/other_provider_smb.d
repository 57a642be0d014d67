smb:::op-Read-done { exit(0); }
