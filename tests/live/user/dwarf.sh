# SPDX-License-Identifier: GPL-2.0-or-later
# Types of programs from what gcc -g leaves: in several of its forms, of functions that share a
# name, of types that another source file has; what C++ passes; and of broken files, and without
# libdw, the message says what is wrong.
# @@needs: cmd:g++ cmd:objcopy
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier
cat >one.c <<'C'
#include <stdarg.h>
#include <stdio.h>
struct hidden;
enum level { LOW = -2, HIGH = 7 };
enum wide { NARROW, WIDE = 1ll << 40 };
struct shape {
	unsigned a : 3;
	int b : 5;
	unsigned long long c : 40;
	short grid[2][3];
	enum level level;
	enum wide wide;
	int (*call)(int);
	struct { char x, y; };
	union { int i; unsigned char bytes[4]; } u;
	struct shape *next;
	const volatile char *name;
	char tail[];
};
__attribute__((noipa)) static int same(struct shape *s, long n) { return s->b + n; }
__attribute__((noipa)) int shaped(struct shape *s, struct hidden *h, const char *fmt, ...)
{
	return same(s, 4) + !h + !fmt;
}
struct hidden *make(int n);
int main(void)
{
	static struct shape last = {.a = 1, .level = LOW, .name = "last"},
			    first = {5, -3, 1ll << 39 | 9, {{1, 2, 3}, {4, 5, 6}}, HIGH, WIDE, 0,
				     {'x', 'y'}, {0x04030201}, &last, "first"};
	printf("%s%s", first.name + 5, last.name + 4); /* they are in memory */
	return shaped(&first, make(6), "%d", 1) == 1000;
}
C
cat >two.c <<'C'
struct hidden { long secret; char text[8]; };
enum color { RED, GREEN = 5 };
typedef enum color color_t;
__attribute__((noipa)) static color_t same(color_t c, struct hidden *h)
{
	return h->secret > 5 ? c : RED;
}
struct hidden *make(int n)
{
	static struct hidden h = {0, "abc"};
	h.secret = n;
	return same(GREEN, &h) == GREEN ? &h : 0;
}
C
cat >t.d <<'D'
pid$target:a.out:shaped:entry
{
	this->s = args[0];
	printf("%d %d %x %d %d %s %s %x", this->s->a, this->s->b, this->s->c, this->s->grid[1][2],
	    this->s->next->level == pid`LOW, "", "", this->s->wide);
	printf(" %c %d %s %s %d\n", this->s->y, this->s->u.bytes[2], stringof(this->s->name),
	    stringof(this->s->next->name), args->h->secret);
	printf("%s %d %s\n", args[1]->text, ((struct pid`hidden *)arg1)->secret,
	    stringof(((pid`a.out`struct shape *)arg0)->next->name));
	print(this->s->level);
	print(this->s->next->level);
	print((pid`color_t)5);
	printf("%d %d %d\n", pid`GREEN, sizeof(pid`struct shape), offsetof(pid`struct shape, tail));
}
D
cat >lines.sh <<'S'
$DTRACE -lvn 'pid$target:a.out:same:entry, pid$target:a.out:same:return,
	pid$target:a.out:shaped:' -c ./prog 2>/dev/null | grep 'args\[' | sort
S
try() {
	gcc -o prog "$@" one.c two.c
	echo "== $*" | sed 's/ -Wl,--build-id.*//'
	$DTRACE -qs t.d -c ./prog
	sh lines.sh | md5sum >now
	[ -e before ] || { sh lines.sh; cp now before; }
	cmp now before
}
try -g
try -g -O2
try -gdwarf-4
try -gdwarf-4 -O1 -fdebug-types-section
try -gdwarf-2 -gstrict-dwarf
try -g -gz -no-pie
cat >p.cc <<'C'
#include <string>
#include <memory>
namespace space {
struct base { int b; explicit base(int n) : b(n) {} };
struct derived : base {
	virtual ~derived() {}
	static int shared;
	long d;
	base &other;
	derived(base &o) : base(3), d(4), other(o) {}
	long method(int n, const base &r) const; };
int derived::shared;
__attribute__((noipa)) long derived::method(int n, const base &r) const { return n + r.b + d; }
__attribute__((noipa)) std::unique_ptr<int> by_reference(std::unique_ptr<int> p, int n)
{
	*p += n;
	return p;
}
template <typename... T> __attribute__((noipa)) int pack(int first, T... all)
{
	return first + (all + ...);
}
}
extern "C" __attribute__((noipa)) int last(space::derived &&d, bool yes, unsigned char c)
{
	return d.method(9, d.other) + yes + c;
}
int main()
{
	space::base b(7);
	space::derived d(b);
	std::unique_ptr<int> p(new int(1));
	int sum = last(std::move(d), true, 'z') + *space::by_reference(std::move(p), 20);
	return sum + space::pack(1, 2, 3) == 0;
}
C
g++ -std=c++17 -g -o prog p.cc
echo '== c++'
$DTRACE -lvn 'pid$target:a.out:last:entry, pid$target:a.out:*method*:entry,
	pid$target:a.out:*by_reference*:entry, pid$target:a.out:*pack*:entry' \
	-c ./prog 2>/dev/null | grep 'args\['
$DTRACE -qn 'pid$target:a.out:last:entry {
	printf("%d %d %d %d %c\n", args[0]->d, args[0]->b, args[0]->other->b, args[1], args[2]); }
	pid$target:a.out:*method*:entry {
		printf("method %d %d %d\n", args->this->d, args[1], args[2]->b); }
	pid$target:a.out:*by_reference*:entry { printf("by_reference %d\n", args[1]); }
	pid$target:a.out:*pack*:entry { printf("pack %d %d %d\n", args[0], args[1], args[2]); }' \
	-c ./prog 2>/dev/null

echo '== broken'
gcc -g -o good one.c two.c
off=$(readelf -SW good |
	awk '{ for (i = 1; i < NF; i++) if ($i == ".debug_info") print $(i + 3), $(i + 4) }')
begin=$(printf %d 0x${off% *}) size=$(printf %d 0x${off#* })
i=1
while [ $i -le 12 ]; do
	cp good bad$i
	printf '\377\001\200\177' |
		dd of=bad$i bs=1 seek=$((begin + i * size / 13)) conv=notrunc 2>/dev/null
	status=0
	$DTRACE -e -n 'pid$target:a.out:shaped:entry { trace(args[0]->next->level); }' \
		-c ./bad$i >/dev/null 2>&1 || status=$?
	[ $status -lt 2 ] || echo "broken at $i: exit status $status"
	i=$((i + 1))
done
mkdir lib
echo 'this is no library' >lib/libdw.so.1
LD_LIBRARY_PATH=$PWD/lib $DTRACE -e -n 'pid$target:a.out:shaped:entry { trace(args[0]->next); }' \
	-c ./good 2>&1 | sed 's/.*its/its/'
