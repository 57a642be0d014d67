/* @@kernel: */
watch::runqueues:write { }
