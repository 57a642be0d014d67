/* @@opts: -x nofeat=all -x ncpus=4 -x temporal=on */
/* With temporal=on each record has its time, also where the script shows none. */
BEGIN { trace(1); }
