/* Declarators in parentheses after the name of a type. */
#pragma D option quiet
typedef int myint;
typedef uint32_t u32;
struct a {
	myint (*f)(int);
	myint (*g)[3];
	myint (*h);
	u32 (b);
	const size_t (*c)(int);
	size_t d;
};
typedef uint32_t (*fp)(int);
typedef u32 (a_t);
typedef myint (func)(int);
extern ssize_t (*ep)(void);
static u32 (*sp)(int);
const u32 (*cp)(int);
this u32 (*tp)(int);
self u32 (*sfp)(int);
struct ops {
	ssize_t (*read)(struct obj *, void *, size_t);
	ssize_t (*write)(size_t (*)(int), u32 (x));
};
union u { uint64_t (*f)(void); struct { pid_t (*g)(pid_t (*h)(u32)); } in; };
a_t v;
translator struct a < int n > { b = (u32)(n); d = sizeof (size_t); };
BEGIN
{
	this->tp = NULL;
	self->sfp = 0;
	v = 3;
	printf("%d %d %d %d", sizeof (struct a), sizeof (struct ops), sizeof (union u), sizeof (v));
	printf(" %d\n", (u32)(3) + v + xlate<struct a>((int)4).b);
	exit(0);
}
