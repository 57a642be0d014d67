/*
 * What a recording can hold, for fuzz_recording: it is recorded in the interpreter, replayed, and
 * spoilt.
 *
 * @test
 * fire app::open:entry pid=5 uid=1 execname="cat" arg0="/etc/passwd" arg1=2 arg2=0x1000
 * fire app::open:return pid=5 after=20us arg0="/etc/passwd" arg1=-1
 * fire app::open:entry pid=6 execname="dog" after=1s arg0="two\nlines" arg1=300 arg2=0x7f0000001000
 * fire app::open:return pid=6 after=20ms arg0=0 arg1=5
 * fire app::tick:now arg1=3
 * fire app::open:entry pid=7 execname="cat" after=3us arg0="/tmp/x" arg1=0 arg2=7
 * fire app::tick:now arg1=0
 */
#pragma D option nspec=2
#pragma D option flowindent

enum colour { RED, GREEN = 300 };
struct inner { uint8_t bytes[3]; char name[8]; enum colour colour; };
struct point { int x : 5; unsigned y : 3; struct inner inner[2]; void *next; struct point *more; };
typedef struct point point_t;

self uint64_t start;
this point_t p;

BEGIN
{
	printf("begin %Y %s %-10s|%5d|%#x %c %v\n", (uint64_t)1700000000 * 1000000000,
	    "text", probename, -3, 255, 'x',
	    (enum colour)300);
	spec = speculation();
}

app::open:entry
{
	self->start = timestamp;
	this->path = copyinstr(arg0);
	@calls = count();
	@by[this->path, execname, pid] = count();
	@size[execname] = quantize(arg1);
	@line = lquantize(arg1, 0, 100, 10);
	@log[pid] = llquantize(arg1, 10, 0, 3, 10);
	@spread[execname, (enum colour)arg1] = stddev(arg1);
	@where[func(arg2), ufunc(arg2), (char)arg1] = max(arg1);
	@least = min(arg1);
	@mean = avg(arg1);
	@name[execname, (char)arg1] = sum(1);
	@path[copyinstr(arg0), arg1] = sum(1);
	@word["cat", (void *)arg1] = sum(1);
	trace(this->path);
	trace(arg1);
	printf("%a %A %P %I %S %r", arg2, arg2, 80, "127.0.0.1", this->path, (short)arg1);
	sym(arg2);
	usym(arg2);
	umod(arg2);
}

app::open:entry { speculate(spec); printf("speculated %d\n", pid); }
app::open:return /arg1 < 0/ { commit(spec); }

app::open:return
{
	this->p.x = arg1;
	this->p.y = 2;
	this->p.inner[1].colour = GREEN;
	this->p.inner[0].bytes[1] = 7;
	print(this->p);
	print((enum colour)300);
	tracemem(copyin(arg0, 8), 8);
	@took[execname] = sum(timestamp - self->start);
	this->x = 10 / (arg1 - 5);
}

app::tick:now
{
	normalize(@took, 1000);
	printa("%s %@d\n", @took);
	printa(@by);
	printa("%@d %@p50\n", @calls, @line);
	printa(@size);
	printa("%s %d %@d %@d\n", @name, @path);
	printa(@path, @word, @name);
	trunc(@by, 1);
	clear(@size);
	arg1 ? printf("some\n") : trace(1);
	setopt("quiet", arg1 ? "1" : "0");
	setopt("aggsortrev");
}

ERROR { printf("fault %d\n", arg4); }
END { denormalize(@took); trunc(@calls); printa("%@d\n", @mean); exit(3); }
