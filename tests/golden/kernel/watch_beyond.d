/* @@kernel: */
watch::nr_cpu_ids+0xffffffffffffff00:write { }
