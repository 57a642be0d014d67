/* @@opts: -x nofeat=all -x ncpus=4 */
/* Probes with the same clauses share a program where they can be told apart. */
BEGIN { a = 1; }
BEGIN, END { a = 2; }
syscall::read:entry, syscall::write:entry { @[probefunc] = count(); }
syscall::write:entry { @w = count(); }
