/* @@opts: -q */
/*
 * Sizes of constants, casts of structures, structures as keys, declared pointers that become views.
 */
struct pair { int first; char second; };
struct one { struct tag { int a; } m; };
struct two { union tag { int b; long c; } m; };
extern int numbers[];
int numbers[3];
struct pair p;
self struct pair q;
struct two two;
cpuinfo_t *where;
self psinfo_t *who;
this lwpsinfo_t *lwp;
cpuinfo_t *cpus[int];

BEGIN
{
	printf("%d %d %d %d\n", sizeof("hi"), sizeof(""), sizeof(NULL), sizeof(two));
	printf("%u %d %x\n", NULL, NULL, NULL);
	many[1] = NULL;
	many[1]--;
	printf("%d\n", many[1]);
	numbers[2] = 5;
	p.first = 3;
	p.second = 'x';
	self->q = p;
	printf("%d %c %d\n", ((struct pair)p).first, ((struct pair)self->q).second, numbers[2]);
	where = curcpu;
	self->who = NULL;
	self->who = curpsinfo;
	this->lwp = curlwpsinfo;
	cpus[1] = curcpu;
	printf("%d %d %d %d\n", where->cpu_id == cpu, self->who->pr_pid == pid,
	    this->lwp->pr_lwpid == tid, cpus[1]->cpu_id == cpu);
	by[p] = 4;
	more[1, p, "abc"] = 7;
	printf("%d %d", by[self->q], more[1, self->q, "abc"]);
	@["keys"] = count();
	@keys[p] = count();
	@keys[self->q] = count();
	p.first = 4;
	printf(" %d %d\n", by[p], more[1, p, "abc"]);
	@keys[p] = count();
	exit(0);
}
