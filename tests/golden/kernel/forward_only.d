/* @@kernel: */
BEGIN { trace(curthread->mm->x); }
