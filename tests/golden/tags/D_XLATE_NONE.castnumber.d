/* A cpuinfo_t is made from the number of a CPU: it has no address. */
BEGIN { trace(((cpuinfo_t *)(uint64_t)curcpu)->cpu_id); }
