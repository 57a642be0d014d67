nfsv3:::op-read-start { exit(0); }
