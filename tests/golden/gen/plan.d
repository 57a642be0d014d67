/* @@opts: -x nofeat=all -x ncpus=4 */
/* @@kernel: */
/* Probes with the same clauses share a program where they can be told apart. */
BEGIN { a = 1; }
BEGIN, END { a = 2; }
syscall::read:entry, syscall::write:entry { @[probefunc] = count(); }
syscall::write:entry { @w = count(); }
/* Also when they ask for arguments or errors, which are found alike. */
syscall::chdir:return, syscall::fchdir:return /errno != 0/ { @e[probefunc, errno] = count(); }
syscall::chdir:entry, syscall::fchdir:entry { @f = sum(arg0); }
