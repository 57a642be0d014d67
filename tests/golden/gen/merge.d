/* @@opts: -x nofeat=all -x ncpus=4 */
/* @@kernel: */
/* More than four programs of one target become parts of one; the clauses of a call are in the order
 * of the script. */
syscall::read:entry { @a = count(); }
syscall::write:entry, syscall::close:entry { @b[probefunc] = count(); }
syscall::lseek:entry { @c = sum(arg1); }
syscall::read:entry, syscall::mmap:entry { @d = count(); }
syscall::munmap:entry { @e = count(); }
/* Few: a program each. */
syscall::read:return { @f = count(); }
syscall::write:return { @g = count(); }
