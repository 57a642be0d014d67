/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@trigger: calls -n 1 */
/* Translated structures with strings in them, as a whole. */
#pragma D option quiet
struct in { int n; };
typedef struct out { int n; string s; char a[8]; string t; } out_t;
translator out_t < struct in *p > { n = p->n; s = lltostr(p->n);
	a = strjoin("a", lltostr(p->n)); t = NULL; };
out_t x;
out_t by[int];
BEGIN
{
	this->p = (struct in *)alloca(4);
	this->p->n = 42;
	x = xlate <out_t>(this->p);
	by[1] = *(xlate <out_t *>(this->p));
	printf("%d %s %s %d\n", x.n, x.s, x.a, x.t == NULL);
	printf("%d %s %s %d\n", by[1].n, by[1].s, by[1].a, by[1].t == NULL);
	print(xlate <out_t>(this->p));
}
psinfo_t ps;
syscall::getppid:entry /pid == $target/ {
	ps = *curpsinfo;
	printf("%s %d\n", ps.pr_fname, ps.pr_pid == pid);
}
