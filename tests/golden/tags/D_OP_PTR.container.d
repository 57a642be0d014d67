BEGIN { trace(container_of(5, struct task_struct, pid)); }
