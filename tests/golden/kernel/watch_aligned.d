/* @@kernel: */
watch::0xffffffff82000201:write-8 { }
