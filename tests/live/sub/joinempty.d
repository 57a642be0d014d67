/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two texts that are empty and too long for the record by their types: the joined one is empty, and
 * not NULL, which would be a fault. */
#pragma D option quiet

string v;
BEGIN { v = strjoin("a", "b"); }
BEGIN { printf("[%s]\n", strjoin(probemod, substr(v, 5))); }
BEGIN { printf("[%s]\n", strjoin(substr(v, 2), probefunc)); }
BEGIN { trace(strjoin(probemod, substr(v, 5))); printf("\n"); }
BEGIN { @[strjoin(probefunc, substr(v, 7))] = count(); v = strjoin(probemod, substr(v, 5)); }
BEGIN { printf("[%s] %d\n", v, v == ""); exit(0); }
END { printa("[%s] %@d\n", @); }
