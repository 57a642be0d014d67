BEGIN { copyinto(arg0, 2, execname); }
