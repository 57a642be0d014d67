struct none { int open[0]; };
BEGIN { print((struct none *)alloca(8)); }
