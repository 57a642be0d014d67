BEGIN { trace(mutex_type_spin(execname)); }
