/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Elements that become zero give their memory back: many more are used here than there is room for.
 */
/* @@trigger: calls -n 5000 */
/* @@opts: -x dynvarsize=16k */
#pragma D option quiet

int n;
struct point { int x, y; };
self struct point kept[int];

syscall::getppid:entry
/pid == $target/
{
	a[n, "x"] = n + 1;
	s[n] = "text";
	self->b[n]++;
	self->b[n] += 3;
	sum += a[n, "x"] - n + self->b[n];
	strings += s[n] == "text";
	a[n, "x"] = 0;
	s[n] = NULL;
	self->b[n] -= 3;
	self->b[n]--;
	sum += self->b[n] + a[n, "x"];
	/* a member that is zero is not an element that is zero */
	self->kept[1].y = 7;
	self->kept[1].x++;
	self->kept[1].x--;
	kept += self->kept[1].y;
	n++;
}

END
{
	printf("%d %d %d %d\n", n, sum, strings, kept);
}
