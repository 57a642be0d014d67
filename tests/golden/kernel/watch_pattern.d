/* @@kernel: */
watch::nr_*:write { }
