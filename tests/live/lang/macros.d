/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Macro arguments and variables; what is not given is 0 or "" with defaultargs. */
/* @@args: -- 12 5 name 'two words' 0x10 BEG '"two\twords"' -0x10 017 10.0.0.1 */
#pragma D option quiet
#pragma D option defaultargs

int name;
inline string NONE = $$11;

$6IN
{
	name = 7;
	printf("%d %d %d %s %s %d\n", $1, $2, $3, $$1, $$4, $5);
	printf("[%s] [%s] [%s]\n", $$2, $$3, $$5);
	printf("%d [%s] %d\n", $11, $$11, $1 * 2 + $5);
	printf("%d %d %d %d\n", $pid == pid, $ppid == ppid, $uid == uid, $gid == gid);
	printf("%d %d %d %d\n", $euid, $egid, $projid, $taskid);
	printf("%d %d %s\n", $target, $sid >= 0 && $pgid >= 0, $$0);
	printf("%d %d %d", $$11 == NULL, $$11 == "", $$11 != NULL);
	printf(" %d %d %s\n", NONE == NULL, $$3 == NULL, NULL == $$11 ? "none" : $$11);
	printf("[%s] [%s] [%s] %d\n", $4, $7, $10, $4 == "two words");
	printf("%d %d [%s] [%s]\n", $8, $9, $0, $$7);
	exit(0);
}
