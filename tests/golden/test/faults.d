/*
 * A fault ends its clause, is reported, and fires ERROR, whose output precedes that of the next.
 *
 * @test
 * fire app::open:entry pid=5 arg0="/etc/passwd" arg1=2
 * fire app::open:entry pid=5 arg0=0 arg1=0
 * output
 * open /etc/passwd 5
 * after 1
 * dtrace: error in clause 1 for probe ID 100 (app::open:entry): invalid address (0x0) at faults.d:20:51
 * ERROR: fault 1 of probe 100
 * after 2
 * dtrace: error in clause 3 for probe ID 100 (app::open:entry): divide-by-zero at faults.d:22:29
 * ERROR: fault 4 of probe 100
 */
#pragma D option quiet

int n;

app::open:entry { printf("%s %s %d\n", probefunc, copyinstr(arg0), pid); }
app::open:entry { printf("after %d\n", ++n); }
app::open:entry { this->x = 10 / arg1; }
ERROR { printf("ERROR: fault %d of probe %d\n", arg4, (int)(arg1 >> 32)); }
