/*
 * Translators: by value and by pointer, nested, from numbers, kept in variables; what members
 * become.
 */
#pragma D option quiet

typedef struct foo {
	int pid;
	string name;
	char comm[16];
	int low:3;
	unsigned int five:5;
	struct { int x; int y; } in;
	char small;
	string unused;
} foo_t;
typedef struct bar { int v; foo_t f; foo_t *fp; } bar_t;
typedef int number_t;

translator foo_t < int i > {
	pid = i + 1;
	name = strjoin("n", lltostr(i));
	comm = probename;
	low = 13;
	five = 255 + i;
	small = 300;
};
translator foo_t < char *p > { pid = -1; name = stringof(p); };
translator bar_t < const number_t i > {
	v = i;
	f = xlate <foo_t>(i);
	fp = xlate <foo_t *>(i * 2);
};
translator struct empty_t < int i > { };
struct empty_t { int nothing; };
inline foo_t *seven = xlate <foo_t *>(7);
inline int pid_of[int i] = xlate <foo_t>(i).pid;
inline foo_t *foo_of[int i] = i > 0 ? xlate <foo_t *>(i) : NULL;

BEGIN
{
	printf("%d %s %s\n", xlate <foo_t>(5).pid, xlate <foo_t *>(7)->name,
	    xlate <struct foo>(1).comm);
	printf("%d %d %d %d\n", xlate <foo_t>(0).low, xlate <foo_t>(0).five,
	    xlate <foo_t>(-200).five, xlate <foo_t>(0).small);
	printf("%d %s\n", xlate <foo_t>((char *)alloca(8)).pid,
	    xlate <foo_t>((char *)alloca(8)).name);
	this->p = xlate <foo_t *>(100);
	self->p = xlate <foo_t *>(200);
	global = this->p;
	a[3] = xlate <foo_t *>(300);
	b[(uint64_t)self->p] = 9;
}

BEGIN
{
	printf("%d %s %d %s %d\n", this->p->pid, self->p->name, a[3]->pid,
	    (*a[3]).name, a[4] == NULL);
	printf("%d %d %d\n", global->pid, global == this->p, b[(uint64_t)xlate <foo_t *>(200)]);
	printf("%d %d %d\n", xlate <bar_t>(5).f.pid, xlate <bar_t>(5).fp->pid,
	    xlate <bar_t *>(x = 8)->f.pid);
	printf("%d %d %s\n", seven->pid, pid_of[x], foo_of[x]->name);
	printf("%d %d\n", foo_of[0] == NULL, sizeof (xlate <bar_t>(1)) == sizeof (bar_t));
	this->r = x ? this->p : NULL;
	printf("%d %s\n", this->r->pid, stringof(this->r->comm));
	printf("%d\n", xlate <foo_t *>(this->p)->pid);
	printf("%d\n", (int)this->p);
	exit(0);
}
