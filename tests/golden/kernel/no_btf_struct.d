/* @@opts: -x btfpath=none */
BEGIN { trace(((struct task_struct *)arg0)->comm); }
