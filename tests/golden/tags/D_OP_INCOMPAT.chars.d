BEGIN /execname == 'bash'/ { }
