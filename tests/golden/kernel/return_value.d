/* @@kernel: */
fbt::kick_task:entry { return(-4096); }
