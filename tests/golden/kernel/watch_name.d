/* @@kernel: */
watch::nr_cpu_ids:read { }
