/* @@kernel: */
/* A tag that is spelt nearly like one of the kernel's. */
BEGIN { trace(((struct tsk_struct *)curthread)->pid); }
BEGIN { trace(sizeof(struct task_strct)); }
BEGIN { trace(sizeof(struct nothing_of_the_kind)); }
