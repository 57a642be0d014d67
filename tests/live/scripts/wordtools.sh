# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts in the manner of the tools that people publish, that live by the language: libraries with
# translators, words of command lines, arrays by several keys, defaults of arguments, the
# preprocessor, reports that sort in several ways, and where a program spends its time.
# @@stderr: ^dtrace: (pid [0-9]+ has exited|script '[a-z.]*' matched .*)$

# A library of one's own: an interface of two translators, and constants; the script knows no
# layouts.
mkdir lib
cat >lib/span.d <<'D'
#pragma D depends_on library procfs.d
typedef struct span { uint64_t from, to; } span_t;
typedef struct spaninfo { uint64_t sp_length; string sp_kind; int sp_owner; } spaninfo_t;
inline int SPAN_LONG = 1000;
#pragma D binding "1.0" SPAN_LONG
translator spaninfo_t < span_t *S >
{
	sp_length = S->to - S->from;
	sp_kind = S->to - S->from >= SPAN_LONG ? "long" : "short";
	sp_owner = pid;
};
D
cat >library.d <<'D'
#pragma D option quiet
span_t *s;
BEGIN
{
	s = alloca(sizeof(span_t));
	this->s = (span_t *)alloca(sizeof(span_t));
	this->s->from = 3000000000;
	this->s->to = this->s->from + $1;
	printf("%s span of %d, ours: %d\n", xlate <spaninfo_t> (this->s).sp_kind,
	    xlate <spaninfo_t *> (this->s)->sp_length,
	    xlate <spaninfo_t *> (this->s)->sp_owner == $pid);
	exit(0);
}
D
$DTRACE -L lib -s library.d 999
$DTRACE -L lib -s library.d 1000

# The words of a command line, one after the other, and what kinds of files they name.
cat >words.d <<'D'
#pragma D option quiet
#pragma D option defaultargs
inline int MOST = $1 ? $1 : 3;
inline string ONLY = $$2 == "" ? "(any)" : $$2;

BEGIN { printf("%-4s %-12s %s, %s\n", "N", "BASE", "DIR", ONLY); n = 0; }

syscall::getppid:entry
/pid == $target && !self->seen/
{
	self->seen = 1;
	this->word = strtok("a/b.c:d.h;/usr/include/sys/types.h e", " :;");
}
syscall::getppid:entry
/this->word != NULL && n < MOST/
{
	this->dot = rindex(this->word, ".");
	this->kind = this->dot >= 0 ? substr(this->word, this->dot + 1) : "none";
	printf("%-4d %-12s %s\n", ++n, basename(this->word), dirname(this->word));
	@kinds[this->kind] = count();
	@lengths["letters"] = sum(strlen(this->word));
	this->word = strtok(NULL, " :;");
}
syscall::getppid:entry
/this->word != NULL && n < MOST/
{
	this->dot = rindex(this->word, ".");
	this->kind = this->dot >= 0 ? substr(this->word, this->dot + 1) : "none";
	printf("%-4d %-12s %s\n", ++n, basename(this->word), dirname(this->word));
	@kinds[this->kind] = count();
	@lengths["letters"] = sum(strlen(this->word));
	this->word = strtok(NULL, " :;");
}
syscall::getppid:entry
/this->word != NULL && n < MOST/
{
	this->dot = rindex(this->word, ".");
	this->kind = this->dot >= 0 ? substr(this->word, this->dot + 1) : "none";
	printf("%-4d %-12s %s\n", ++n, basename(this->word), dirname(this->word));
	@kinds[this->kind] = count();
	@lengths["letters"] = sum(strlen(this->word));
	this->word = strtok(NULL, " :;");
}
syscall::getppid:entry
/this->word != NULL && n < MOST/
{
	this->dot = rindex(this->word, ".");
	this->kind = this->dot >= 0 ? substr(this->word, this->dot + 1) : "none";
	printf("%-4d %-12s %s\n", ++n, basename(this->word), dirname(this->word));
	@kinds[this->kind] = count();
	@lengths["letters"] = sum(strlen(this->word));
	this->word = strtok(NULL, " :;");
}
END
{
	printa("%@4u files .%s\n", @kinds);
	printa("%@u %s\n", @lengths);
	printf("%s\n", strjoin(strjoin("<", lltostr(n)), ">"));
}
D
$DTRACE -x aggsortkey -s words.d -c 'calls -n 2'
$DTRACE -x aggsortkey -s words.d -c 'calls -n 2' 1 ".c"

# Calls within calls: arrays of a thread by name and depth, the time of callees is not their
# callers'; ?: of actions; the preprocessor.
cat >inner.d <<'D'
#define FUNCTION pid$target:victim:main:entry,pid$target:victim:seven:entry, \
	pid$target:victim:points:entry
#define RETURNS  pid$target:victim:main:return,pid$target:victim:seven:return, \
	pid$target:victim:points:return
#ifndef VERBOSE
#define VERBOSE 0
#endif
inline int OPT_verbose = VERBOSE;
FUNCTION
{
	self->depth++;
	self->start[probefunc, self->depth] = timestamp;
	self->inside[self->depth] = 0;
	OPT_verbose ? printf("%*s-> %s\n", self->depth, "", probefunc) : 1;
}
RETURNS
/(this->from = self->start[probefunc, self->depth])/
{
	this->all = timestamp - this->from;
	this->own = this->all - self->inside[self->depth];
	self->start[probefunc, self->depth] = 0;
	self->inside[self->depth] = 0;
	self->depth--;
	self->depth ? self->inside[self->depth] += this->all : 1;
	@calls[probefunc] = count();
	@own["own", probefunc] = sum(this->own);
	@all["all", probefunc] = sum(this->all);
	own += this->own;
	probefunc == "main" ? main = this->all : 1;
}
END
{
	OPT_verbose ? printf("%s\n", "done") :
	    printf("%s is the sum: %d\n", "own", own == main && own > 0);
	printa("%-8s %@d\n", @calls);
	trunc(@own);
	trunc(@all);
}
#pragma D option quiet
D
$DTRACE -C -s inner.d -x aggsortkey -c 'victim 4' 2>err
$DTRACE -C -DVERBOSE=1 -s inner.d -c 'victim 1' 2>err | grep -v '^[a-z]* *1$'

# Tables: several aggregations in a row, sorted in turn; keys of several kinds; percentages by
# integers that must not overflow.
cat >table.d <<'D'
#pragma D option quiet
BEGIN { all = 0; fd[""] = 0; names[-1] = "none"; names[7] = "seven"; names[300] = "many"; }
syscall::lseek:entry
/pid == $target/
{
	this->name = names[arg1 >= 300 ? 300 : arg1 == 7 ? 7 : -1];
	@n[this->name, arg1 % 2] = count();
	@big[this->name, arg1 % 2] = max(arg1 * 10000000);
	@small[this->name, arg1 % 2] = min(arg1 * 10000000);
	@dev[this->name, arg1 % 2] = stddev(arg1);
	all += arg1 * 10000000;
	calls++;
}
END
{
	printf("%-6s %2s %6s %16s %16s %6s\n", "NAME", "", "N", "MAX", "MIN", "DEV");
	setopt("aggsortpos", "0");
	printa("%-6s %2d %6@d %@16d %@16d %@6d\n", @n, @big, @small, @dev);
	setopt("aggsortrev");
	setopt("aggsortpos", "1");
	printa("%-6s %2d %6@d %@16d\n", @n, @big);
	printf("%d.%02d%% odd\n", 3 * 100 / calls, 3 * 10000 / calls % 100);
	printf("%d %s\n", all, all == 10000000 * 907 ? "whole" : "wrapped");
	trunc(@n, 1);
	printa("first: %s %d %@d\n", @n);
}
D
$DTRACE -s table.d -c 'calls -n 1 7 300 301 299 0'

# Where the time goes: stacks of a program and of the kernel while it runs, the most frequent of
# them, and how many in all.
cat >where.d <<'D'
#pragma D option quiet
#pragma D option ustackframes=5
profile-1999hz
/pid == $target && ++samples <= 40/
{
	@where[ustack(2)] = count();
	@mode[arg1 ? "user" : "kernel"] = count();
	@by["samples"] = sum(1);
}
END
{
	trunc(@where, 1);
	printa("%k%@d\n", @where);
	printa("%s %@d\n", @mode);
	printa("%s %@d\n", @by);
}
D
$DTRACE -s where.d -c 'calls -s 1' >out
awk '/`/ { frames++ } /^(user|kernel) / { modes += $2 }
	/^samples/ { print (frames > 0), $1, $2, modes }' out
