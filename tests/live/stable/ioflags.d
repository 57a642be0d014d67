/* What reads is B_READ, all else B_WRITE: flushes and zones' operations have even numbers, too. */
#pragma D option quiet
inline string how[int op] = dt_op_flags[op] == (B_BUSY | B_READ) ? "R" :
    dt_op_flags[op] == (B_BUSY | B_WRITE) ? "W" :
	dt_op_flags[op] == (B_BUSY | B_WRITE | B_ASYNC) ? "A" : "?";

BEGIN
{
	printf("read %s %s\n", how[0], how[0x800]);
	printf("write %s %s\n", how[1], how[0x801]);
	printf("flush %s %s\n", how[2], how[0x40002]);
	printf("discard %s, secure erase %s, write zeroes %s %s\n", how[3],
	    how[5], how[9], how[0x809]);
	printf("zones of old: open %s, close %s, finish %s\n", how[10], how[11], how[12]);
	printf("zones: open %s, close %s, finish %s, reset %s\n", how[11],
	    how[13], how[15], how[17]);
	printf("drivers: in %s %s, out %s %s\n", how[32], how[34], how[33], how[35]);
	exit(0);
}
