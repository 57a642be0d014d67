/* @@kernel: */
/* A struct mm_struct has no members of a process. */
BEGIN { trace(((proc_t *)curthread->mm)->p_ppid); }
