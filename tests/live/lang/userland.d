/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What points into the process is read from there without being asked to: by its type or by a cast.
 */
/* @@trigger: test -d userland.d */
#pragma D option quiet

userland char *name;

syscall::newfstatat:entry
/pid == $target && args[1] == "userland.d"/
{
	name = (userland char *)arg1;
	printf("%s %s %d\n", args[1], stringof(args[1]), strlen(args[1]));
	printf("%c%c %c %s\n", args[1][0], name[1], *((userland char *)arg1 + 9), basename(name));
	printf("%d\n", *(userland short *)arg1 == ('s' << 8 | 'u'));
}
