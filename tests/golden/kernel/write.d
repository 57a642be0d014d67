/* @@kernel: */
BEGIN { `init_task.pid = 1; }
