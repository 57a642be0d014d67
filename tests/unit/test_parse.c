/* SPDX-License-Identifier: GPL-2.0-or-later */
/* D's text to a tree: what every construct becomes, and where and how every error is reported. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/node.h"

struct print_value_row {
	const char *text, *tree;
};

struct error_row {
	const char *text;
	enum tag tag;
	int line, column;
	const char *msg;
};

/* What the callers of the grammar know; asked counts the questions for types. */
struct world {
	int asked;
	struct strbuf options;
};

static const struct print_value_row programs[] = {
    {"$$1:::,x$1y$2::{}", "(program (clause (pdesc \"42:::\") (pdesc \"x42yexecname::\") (body)))"},
    {"BEGIN /a/\n#pragma D option quiet\n{}",
     "(program (clause (pdesc \"BEGIN\") (pred a) (body)) (pragma option \"quiet\"))"},
    {"BEGIN /f(a / b)/{}", "(program (clause (pdesc \"BEGIN\") (pred (call f (/ a b))) (body)))"},
    {"BEGIN", "(program (clause (pdesc \"BEGIN\")))"},
    {"BEGIN,\\\nEND\\\n/a\\\r\n/\\\n{ f(1 + \\\n 2);\\\n }",
     "(program (clause (pdesc \"BEGIN\") (pdesc \"END\") (pred a) (body (expr (call f (+ 1 "
     "2))))))"},
    {"BEGIN,END{}", "(program (clause (pdesc \"BEGIN\") (pdesc \"END\") (body)))"},
    {"tick-1sec{exit(0)}", "(program (clause (pdesc \"tick-1sec\") (body (expr (call exit 0)))))"},
    {"profile-997hz /arg0/ {}", "(program (clause (pdesc \"profile-997hz\") (pred arg0) (body)))"},
    {"io:::start,io:::done", "(program (clause (pdesc \"io:::start\") (pdesc \"io:::done\")))"},
    {"pid$target::foo:1c", "(program (clause (pdesc \"pid123::foo:1c\")))"},
    {"pid$target:libc:malloc:{}", "(program (clause (pdesc \"pid123:libc:malloc:\") (body)))"},
    {"syscall::$1:entry", "(program (clause (pdesc \"syscall::42:entry\")))"},
    {"fbt::$$2:entry{}", "(program (clause (pdesc \"fbt::execname:entry\") (body)))"},
    {"profile-$1,tick-$1ms", "(program (clause (pdesc \"profile-42\") (pdesc \"tick-42ms\")))"},
    {"syscall::*read*:[a-z]?[!x]\\*",
     "(program (clause (pdesc \"syscall::*read*:[a-z]?[!x]\\\\*\")))"},
    {"fbt:mod`a.b-c:f.isra.0:entry", "(program (clause (pdesc \"fbt:mod`a.b-c:f.isra.0:entry\")))"},
    {"pid*:/bin/bash:readline:entry",
     "(program (clause (pdesc \"pid*:/bin/bash:readline:entry\")))"},
    {"pid$target:a.out:main.(*T).Foo:entry",
     "(program (clause (pdesc \"pid123:a.out:main.(*T).Foo:entry\")))"},
    {"3,$1 {}", "(program (clause (pdesc 3) (pdesc 42) (body)))"},
    {"BEGIN;END;", "(program (clause (pdesc \"BEGIN\")) (clause (pdesc \"END\")))"},
    {"BEGIN /a/\nsyscall::read:entry {}",
     "(program (clause (pdesc \"BEGIN\") (pred a)) (clause (pdesc "
     "\"syscall::read:entry\") (body)))"},
    {"a:b:c:d/1/", "(program (clause (pdesc \"a:b:c:d\") (pred 1)))"},
    {"string{} this, self:a:b{} int /1/{}",
     "(program (clause (pdesc \"string\") (body)) (clause (pdesc \"this\") (pdesc "
     "\"self:a:b\") (body)) (clause (pdesc \"int\") (pred 1) (body)))"},
    {"return, if {}", "(program (clause (pdesc \"return\") (pdesc \"if\") (body)))"},
    {"string*:::{} foo_t{} foo_t*{}",
     "(program (clause (pdesc \"string*:::\") (body)) (clause (pdesc \"foo_t\") (body)) "
     "(clause (pdesc \"foo_t*\") (body)))"},
    {"BEGIN foo_t:::", "(program (clause (pdesc \"BEGIN\")) (clause (pdesc \"foo_t:::\")))"},
    {"BEGIN /a / b / c/ {}", "(program (clause (pdesc \"BEGIN\") (pred (/ (/ a b) c)) (body)))"},
    {"BEGIN // no\n /* no */ /x == 2 / 1/ /* c */ // d\n {}",
     "(program (clause (pdesc \"BEGIN\") (pred (== x (/ 2 1))) (body)))"},
    {"BEGIN /--tick == 0 || (this->s = start[arg0])/ {}",
     "(program (clause (pdesc \"BEGIN\") (pred (|| (== (-- tick) 0) (= this->s (index "
     "start arg0)))) (body)))"},
    {"BEGIN /a /= 2/ {}", "(program (clause (pdesc \"BEGIN\") (pred (/= a 2)) (body)))"},
    {"BEGIN /a/;", "(program (clause (pdesc \"BEGIN\") (pred a)))"},
    {"int x;", "(program (decl \"int x\"))"},
    {"foo_t *p, q;", "(program (decl \"foo_t *p\" \"foo_t q\"))"},
    {"foo_t*p;", "(program (decl \"foo_t *p\"))"},
    {"bar_t x;", "(program (decl \"bar_t x\"))"},
    {"uint64_t total[string, int]; int a[N * 2][3], m[foo_t];",
     "(program (decl \"uint64_t total[string, int]\") (decl \"int a[...][3]\" (size (* "
     "N 2)) \"int m[foo_t]\"))"},
    {"self int trace; this string s; self x; static int y; extern int z;",
     "(program (decl self \"int trace\") (decl this \"string s\") (decl self \"int x\") "
     "(decl static \"int y\") (decl extern \"int z\"))"},
    {"self string a[int, char *];", "(program (decl self \"string a[int, char *]\"))"},
    {"typedef int my_t; my_t *p; BEGIN { x = (my_t)1; }",
     "(program (decl typedef \"int my_t\") (decl \"my_t *p\") (clause (pdesc \"BEGIN\") "
     "(body (expr (= x (cast \"my_t\" 1))))))"},
    {"typedef struct s { int a; } s_t, *s_p; s_p x;",
     "(program (decl typedef \"struct s {...} s_t\" \"struct s {...} *s_p\" (decl \"int "
     "a\")) (decl \"s_p x\"))"},
    {"struct s { unsigned int a:3, :2; char *b[4]; union { foo_t c; int foo_t; }; enum "
     "e { A = 1, B } f; struct s *next; };",
     "(program (decl \"struct s {...}\" (decl \"unsigned int a\" (bits 3) \"unsigned "
     "int\" (bits 2)) (decl \"char *b[4]\") (decl \"union {...}\" (decl \"foo_t c\") "
     "(decl \"int foo_t\")) (decl \"enum e {...} f\" (enumerator A 1) (enumerator B)) "
     "(decl \"struct s *next\")))"},
    {"enum { BEGIN, END = 1 << 2, foo_t, };",
     "(program (decl \"enum {...}\" (enumerator BEGIN) (enumerator END (<< 1 2)) "
     "(enumerator foo_t)))"},
    {"int (*f)(int, foo_t x, ...); void g(void); const char *const *volatile v;",
     "(program (decl \"int (*f)(int, foo_t x, ...)\") (decl \"void g()\") (decl \"const "
     "char *const *volatile v\"))"},
    {"long long unsigned a; short int b; signed char c; long double d; _Bool e;",
     "(program (decl \"unsigned long long a\") (decl \"short int b\") (decl \"signed "
     "char c\") (decl \"long double d\") (decl \"_Bool e\"))"},
    {"mod`foo_t *x; `struct s y; struct mod`t z;",
     "(program (decl \"mod`foo_t *x\") (decl \"struct s y\") (decl \"mod`struct t z\"))"},
    {"int foo_t; BEGIN { x = (foo_t) - 1; }", /* a variable, whatever the kernel has */
     "(program (decl \"int foo_t\") (clause (pdesc \"BEGIN\") (body (expr (= x (- foo_t 1))))))"},
    {"userland struct x *p;", "(program (decl \"userland struct x *p\"))"},
    {"inline int X = 1; inline string f[int a, string b] = a ? b : \"\";",
     "(program (inline \"int X\" 1) (inline \"string f[int a, string b]\" (? a b \"\")))"},
    {"translator psinfo_t < struct proc *T > { pr_pid = T->p_pid; pr_x = (foo_t)1 ? 2 : "
     "3; };",
     "(program (translator \"psinfo_t\" \"struct proc *T\" (pr_pid (-> T p_pid)) (pr_x "
     "(? (cast \"foo_t\" 1) 2 3))))"},
    {"translator foo_t < mod`struct a *T > {};",
     "(program (translator \"foo_t\" \"mod`struct a *T\"))"},
    {"provider p { probe a(int x) : (string y, foo_t); probe b-c-d(foo_t *); probe "
     "e__f():(); probe g; };",
     "(program (provider p (probe a \"int x\" : \"string y\" \"foo_t\") (probe b-c-d "
     "\"foo_t *\") (probe e__f :) (probe g)))"},
    {"provider p { probe a(int x : string y, foo_t); probe e__f(:); probe h(foo_t *f : bar_t *f); "
     "};",
     "(program (provider p (probe a \"int x\" : \"string y\" \"foo_t\") (probe e__f :) (probe h "
     "\"foo_t *f\" : \"bar_t *f\")))"},
    {"provider node { probe net__server__connection(conn_t *c, const char *a, int p) :\n"
     "(nodeconn_t *c, string a, int p); probe x(void) : (bar_t); };",
     "(program (provider node (probe net__server__connection \"conn_t *c\" \"const char *a\" \"int "
     "p\" : "
     "\"nodeconn_t *c\" \"string a\" \"int p\") (probe x \"void\" : \"bar_t\")))"},
    {"typedef int x __attribute__((mode(DI), aligned (8))); int f(int) __attribute__ ((access (a, "
     "(1)))); END{}",
     "(program (decl typedef \"int x\") (decl \"int f(int)\") (clause (pdesc \"END\") (body)))"},
    {"# 1 \"/usr/include/x.h\" 1 3 4\nstatic int f(int x)\n{ if (x) { return '{'; } \"}\"; /* } */ "
     "}\n# 2 \"x.d\" 2\nEND{}",
     "(program (decl static \"int f(int x)\") (clause (pdesc \"END\") (body)))"},
    {"struct s { int a : 3; foo :4; int b:(N); };",
     "(program (decl \"struct s {...}\" (decl \"int a\" (bits 3)) (decl \"foo\" (bits 4)) (decl "
     "\"int b\" (bits N))))"},
    {"#!/usr/sbin/dtrace -s\n#pragma D option quiet // c\n#pragma ident \"x\"\nBEGIN "
     "{\n  #pragma D option strsize=1k /* c */\n}\n#pragma D attributes "
     "Evolving/Evolving/ISA provider p provider\n# 33 \"f.c\"\n#line 7\nEND{}",
     "(program (pragma option \"quiet\") (clause (pdesc \"BEGIN\") (body)) (pragma "
     "option \"strsize=1k\") (pragma attributes \"Evolving/Evolving/ISA provider p "
     "provider\") (clause (pdesc \"END\") (body)))"},
    {"#pragma weak f\n#ident \"x\"\n#pragma D depends_on module a\n#pragma D binding "
     "\"1.0\" X\n",
     "(program (pragma depends_on \"module a\") (pragma binding \"\\\"1.0\\\" X\"))"},
    {"", "(program)"},
    {" /* only */ // comments\n", "(program)"},
    {"BEGIN { trace(1) }", "(program (clause (pdesc \"BEGIN\") (body (expr (call trace 1)))))"},
    {"BEGIN { ; trace(1);; { a = 1; { b = 2 } } }",
     "(program (clause (pdesc \"BEGIN\") (body (empty) (expr (call trace 1)) (empty) "
     "(expr (= a 1)) (expr (= b 2)))))"},
    {"BEGIN { if (a) b(); else if (c) { d() } else { } e() }",
     "(program (clause (pdesc \"BEGIN\") (body (if a (then (expr (call b))) (else (if c "
     "(then (expr (call d))) (else)))) (expr (call e)))))"},
    {"BEGIN { if (a) if (b) c = 1; else d = 2; }",
     "(program (clause (pdesc \"BEGIN\") (body (if a (then (if b (then (expr (= c 1))) "
     "(else (expr (= d 2)))))))))"},
    {"BEGIN { if (a) ; else b() }",
     "(program (clause (pdesc \"BEGIN\") (body (if a (then (empty)) (else (expr (call "
     "b)))))))"},
    {"string s;\nBEGIN{s = \"x\";}",
     "(program (decl \"string s\") (clause (pdesc \"BEGIN\") (body (expr (= s \"x\")))))"},
    {"struct a { int b; } x; BEGIN{}",
     "(program (decl \"struct a {...} x\" (decl \"int b\")) (clause (pdesc \"BEGIN\") "
     "(body)))"},
};

static const struct print_value_row expressions[] = {
    {"a + b * c - d", "(- (+ a (* b c)) d)"},
    {"a = b = c += 1", "(= a (= b (+= c 1)))"},
    {"a ? b : c ? d : e", "(? a b (? c d e))"},
    {"a ? x = 1 : y = 2", "(? a (= x 1) (= y 2))"},
    {"a ? printf(\"x\") : 1", "(? a (call printf \"x\") 1)"},
    {"a || b ^^ c && d | e ^ f & g == h < i << j + k % l",
     "(|| a (^^ b (&& c (| d (^ e (& f (== g (< h (<< i (+ j (% k l)))))))))))"},
    {"(a, b)", "(, a b)"},
    {"a, b", "(, a b)"},
    {"!a == ~-b", "(== (! a) (~ (neg b)))"},
    {"*p++", "(deref (post++ p))"},
    {"&x->y.z[1]", "(addr (index (. (-> x y) z) 1))"},
    {"++--a", "(++ (-- a))"},
    {"-(1)", "(neg 1)"},
    {"f(1.5, 1e6, .5f, 2.e-3L)",
     "(call f 1.5000000000000000 1000000.0000000000 0.50000000000000000 0.0020000000000000000)"},
    {"(int)x", "(cast \"int\" x)"},
    {"(char *)a->b", "(cast \"char *\" (-> a b))"},
    {"(foo_t)-1", "(cast \"foo_t\" (neg 1))"},
    {"(size) - 1", "(- size 1)"},
    {"(int)f(foo_t) & 7", "(& (cast \"int\" (call f foo_t)) 7)"},
    {"(foo_t *)0", "(cast \"foo_t *\" 0)"},
    {"(unknown_t *)0", "(cast \"unknown_t *\" 0)"},
    {"(unknown_t const *)0", "(cast \"const unknown_t *\" 0)"},
    {"(foo_t) == 3", "(== foo_t 3)"},
    {"(const foo_t *)x", "(cast \"const foo_t *\" x)"},
    {"(userland struct s *)p", "(cast \"userland struct s *\" p)"},
    {"(struct s **)p[1]", "(cast \"struct s **\" (index p 1))"},
    {"(int (*)(foo_t))p", "(cast \"int (*)(foo_t)\" p)"},
    {"(mod`foo_t *)arg0", "(cast \"mod`foo_t *\" arg0)"},
    {"(mod`struct s *)arg0", "(cast \"mod`struct s *\" arg0)"},
    {"(`k_t)1", "(cast \"k_t\" 1)"},
    {"(`sym)", "`sym"},
    {"(pid$target`libc.so.6`struct q *)arg0", "(cast \"pid123`libc.so.6`struct q *\" arg0)"},
    {"(string)x", "(cast \"string\" x)"},
    {"(size * 2)", "(* size 2)"},
    {"sizeof x", "(sizeof x)"},
    {"sizeof (x)", "(sizeof x)"},
    {"sizeof (foo_t)", "(sizeof \"foo_t\")"},
    {"sizeof (struct s *)", "(sizeof \"struct s *\")"},
    {"sizeof (int) * foo_t", "(* (sizeof \"int\") foo_t)"},
    {"offsetof(struct s, a.b[3].c)", "(offsetof \"struct s\" (. (index (. (. a) b) 3) c))"},
    {"offsetof(unknown_t, a)", "(offsetof \"unknown_t\" (. a))"},
    {"stringof x + 1", "(+ (stringof x) 1)"},
    {"stringof (x)->y", "(stringof (-> x y))"},
    {"stringof (char *)x", "(stringof (cast \"char *\" x))"},
    {"xlate <psinfo_t *>(x)->pr_pid", "(-> (xlate \"psinfo_t *\" x) pr_pid)"},
    {"xlate < struct s > (x, 1)", "(xlate \"struct s\" (, x 1))"},
    {"@", "(@ _)"},
    {"@ = count()", "(= (@ _) (call count))"},
    {"@a = sum(1)", "(= (@ a) (call sum 1))"},
    {"@min = min(x)", "(= (@ min) (call min x))"},
    {"@a[execname, 1] = quantize(x)", "(= (@ a [] execname 1) (call quantize x))"},
    {"@a[1][2]", "(index (@ a [] 1) 2)"},
    {"printa(@a, @)", "(call printa (@ a) (@ _))"},
    {"A ? @x[1] = count() : 1", "(? A (= (@ x [] 1) (call count)) 1)"},
    {"self->x", "self->x"},
    {"this->trace", "this->trace"},
    {"self->a[1, 2]", "(index self->a 1 2)"},
    {"self->int++", "(post++ self->int)"},
    {"args[0]->string", "(-> (index args 0) string)"},
    {"a.if->self", "(-> (. a if) self)"},
    {"`sym", "`sym"},
    {"mod`sym.x", "(. mod`sym x)"},
    {"BEGIN", "BEGIN"},
    {"f()", "(call f)"},
    {"f(1, a = 2, (b, c))", "(call f 1 (= a 2) (, b c))"},
    {"a[1](2)", "(call (index a 1) 2)"},
    {"self->f(1)", "(call self->f 1)"},
    {"trace", "trace"},
    {"0", "0"},
    {"1", "1"},
    {"017", "0xf"},
    {"0x1F", "0x1f"},
    {"0b101", "0x5"},
    {"1_000_000", "1000000"},
    {"0xffff_ffff_ffff_ffff", "0xffffffffffffffff"},
    {"1u", "1u"},
    {"1L", "1l"},
    {"1ul", "1ul"},
    {"1Lu", "1ul"},
    {"1LL", "1ll"},
    {"1uLL", "1ull"},
    {"0x1ull", "0x1ull"},
    {"18446744073709551615", "18446744073709551615"},
    {"5ms", "5000000"},
    {"10us", "10000"},
    {"3ns", "3"},
    {"2s", "2000000000"},
    {"2sec", "2000000000"},
    {"1min", "60000000000"},
    {"0s", "0"},
    {"'a'", "(char 97)"},
    {"'\\n'", "(char 10)"},
    {"'\\0'", "(char 0)"},
    {"'\\x41'", "(char 65)"},
    {"'\\377'", "(char 255)"},
    {"'ab'", "(char 24930)"},
    {"'abcdefgh'", "(char 7017280452245743464)"},
    {"'\\''", "(char 39)"},
    {"'\"'", "(char 34)"},
    {"\"a\\tb\\\"\\\\\"", "\"a\\011b\\\"\\\\\""},
    {"\"\\033[1m\\x1b\\a\\b\\0z\"", "\"\\033[1m\\033\\007\\010\\000z\""},
    {"\"\\q\"", "\"\\\\q\""},
    {"\"a\\\nb\"", "\"ab\""},
    {"\"\"", "\"\""},
    {"\"/* no */ // no\"", "\"/* no */ // no\""},
    {"$1", "(macro 42)"},
    {"$2", "execname"},
    {"$4", "(neg (macro 7))"},
    {"$5", "(macro 0x10)"},
    {"$8", "(neg (macro 0x1f))"},
    {"$12", "(macro 0xf)"},
    {"$3", "(macro \"foo bar\")"},
    {"$7", "(macro \"\")"},
    {"$0", "(macro \"script.d\")"},
    {"$10", "(macro \"a\\011b\\\"c\")"},
    {"$11", "(macro \"\\\"\")"},
    {"$15", "(macro \"10.0.0.1\")"},
    {"$$10", "(macro \"\\\"a\\\\tb\\\\\\\"c\\\"\")"},
    {"x == $10 ? $2 : $4", "(? (== x (macro \"a\\011b\\\"c\")) execname (neg (macro 7)))"},
    {"$$1", "(macro \"42\")"},
    {"\"a\" \"\\0b\"\n/* x */ $$1", "\"a\\000b42\""},
    {"$$3", "(macro \"foo bar\")"},
    {"$$0", "(macro \"script.d\")"},
    {"$target", "(macro 123)"},
    {"$$target", "(macro \"123\")"},
    {"$pid", "(macro 77)"},
    {"$1 ? $1 : 1", "(? (macro 42) (macro 42) 1)"},
    {"a /* c */ + // d\n b", "(+ a b)"},
    {"a-b", "(- a b)"},
    {"x-y`z", "(- x y`z)"},
    {"a+++b", "(+ (post++ a) b)"},
    {"a<b>c", "(> (< a b) c)"},
    {"a>>=b<<1", "(>>= a (<< b 1))"},
    {"a^=b|=c&=d%=e/=f*=g-=1", "(^= a (|= b (&= c (%= d (/= e (*= f (-= g 1)))))))"},
};

static const struct print_value_row types[] = {
    {"int", "(type \"int\")"},
    {"unsigned", "(type \"unsigned\")"},
    {"struct foo *", "(type \"struct foo *\")"},
    {"int [4]", "(type \"int [4]\")"},
    {"int *[3]", "(type \"int *[3]\")"},
    {"int (*)[3]", "(type \"int (*)[3]\")"},
    {"int (*(*)(foo_t, ...))[3]", "(type \"int (*(*)(foo_t, ...))[3]\")"},
    {"any_t", "(type \"any_t\")"},
    {"const any_t *", "(type \"const any_t *\")"},
    {"mod`any_t", "(type \"mod`any_t\")"},
    {"mod`struct s", "(type \"mod`struct s\")"},
    {"string", "(type \"string\")"},
    {"int [string, any_t]", "(type \"int [string, any_t]\")"},
    {"int [2][3]", "(type \"int [2][3]\")"},
    {"int (int)", "(type \"int (int)\")"},
    {"void (*)(void)", "(type \"void (*)()\")"},
};

static const struct print_value_row prototypes[] = {
    {"int(void)", "(type \"int ()\")"},
    {"string(const char *, int, [int])", "(type \"string (const char *, int, [int])\")"},
    {"void(@, ...)", "(type \"void (@, ...)\")"},
    {"void(...)", "(type \"void (...)\")"},
    {"char *(string [3], any_t, [any_t *, int])",
     "(type \"char *(string [3], any_t, [any_t *], [int])\")"},
    {"string lltostr(int64_t, [int base])", "(type \"string lltostr(int64_t, [int base])\")"},
    {"void()", "(type \"void ()\")"},
};

static const struct error_row errors[] = {
    {"BEGIN / (a / {1}", D_SYNTAX, 1, 14,
     "syntax error near \"{\"; a parenthesis of the predicate before it is not closed"},
    {"self->x {}", D_SYNTAX, 1, 6, "syntax error near \">\""},
    {"BEGIN {", D_SYNTAX, 1, 8, "syntax error near end-of-input; a '}' is missing"},
    {"BEGIN { x = ", D_SYNTAX, 1, 13, "syntax error near end-of-input; a '}' is missing"},
    {"BEGIN { trace(1 }", D_SYNTAX, 1, 17,
     "syntax error near \"}\"; a ')' may be missing before it"},
    {"BEGIN { if (x) }", D_SYNTAX, 1, 16, "syntax error near \"}\""},
    {"BEGIN { if (x) else }", D_SYNTAX, 1, 16, "syntax error near \"else\""},
    {"BEGIN }", D_SYNTAX, 1, 7, "syntax error near \"}\""},
    {"BEGIN,{}", D_SYNTAX, 1, 7, "syntax error near \"{\""},
    {"BEGIN /x", D_SYNTAX, 1, 9, "syntax error near end-of-input"},
    {"BEGIN /x {", D_SYNTAX, 1, 10,
     "syntax error near \"{\"; the predicate before it has no closing '/'"},
    {"x = 1;", D_SYNTAX, 1, 3, "syntax error near \"=\""},
    {"foo(int x) {}", D_SYNTAX, 1, 4, "syntax error near \"(\""},
    {"BEGIN { int x; }", D_SYNTAX, 1, 9,
     "syntax error near \"int\" (declarations stand outside of clauses)"},
    {"int x = 1;", D_SYNTAX, 1, 7,
     "syntax error near \"=\"; declarations of variables give no value: assign it in BEGIN"},
    {"int x", D_SYNTAX, 1, 6, "syntax error near end-of-input"},
    {"int 3;", D_SYNTAX, 1, 5, "syntax error near \"3\""},
    {"BEGIN { for (;;) ; }", D_SYNTAX, 1, 9,
     "syntax error near \"for\" (reserved word; D has no loops)"},
    {"BEGIN { while (1) ; }", D_SYNTAX, 1, 9,
     "syntax error near \"while\" (reserved word; D has no loops)"},
    {"BEGIN { goto x; }", D_SYNTAX, 1, 9,
     "syntax error near \"goto\" (reserved word; D has no loops)"},
    {"BEGIN { do ; }", D_SYNTAX, 1, 9, "syntax error near \"do\" (reserved word; D has no loops)"},
    {"BEGIN { switch (x) {} }", D_SYNTAX, 1, 9, "syntax error near \"switch\" (reserved word)"},
    {"BEGIN { return 0; }", D_SYNTAX, 1, 16, "syntax error near \"0\""},
    {"BEGIN { x = counter; }", D_SYNTAX, 1, 13, "syntax error near \"counter\" (reserved word)"},
    {"BEGIN { x = 1e999; }", D_SYNTAX, 1, 13, "floating-point constant is too large: 1e999"},
    {"BEGIN { x = 18446744073709551616; }", D_INT_OFLOW, 1, 13,
     "integer constant 18446744073709551616 cannot be represented in any built-in "
     "integral type"},
    {"BEGIN { x = 0x10000000000000000; }", D_INT_OFLOW, 1, 13,
     "integer constant 0x10000000000000000 cannot be represented in any built-in "
     "integral type"},
    {"BEGIN { x = 600000000000000000s; }", D_INT_OFLOW, 1, 13,
     "integer constant 600000000000000000s cannot be represented in any built-in "
     "integral type"},
    {"BEGIN { x = 089; }", D_INT_DIGIT, 1, 13, "invalid digit in octal constant 089"},
    {"BEGIN { x = 0b12; }", D_INT_DIGIT, 1, 13, "invalid digit in binary constant 0b12"},
    {"BEGIN { x = 0x; }", D_INT_DIGIT, 1, 13, "invalid digit in hexadecimal constant 0x"},
    {"BEGIN { x = 1_; }", D_INT_DIGIT, 1, 13, "invalid digit in decimal constant 1_"},
    {"BEGIN { x = 12abc; }", D_SYNTAX, 1, 13, "invalid suffix \"abc\" of integer constant 12"},
    {"BEGIN { x = 5hz; }", D_SYNTAX, 1, 13, "invalid suffix \"hz\" of integer constant 5"},
    {"BEGIN { x = ''; }", D_CHR_NULL, 1, 13, "empty character constant"},
    {"BEGIN { x = 'abcdefghi'; }", D_CHR_OFLOW, 1, 13,
     "character constant is longer than 8 characters"},
    {"BEGIN { x = 'a\n'; }", D_CHR_NL, 1, 13, "newline encountered in a character constant"},
    {"BEGIN { x = 'a", D_SYNTAX, 1, 13, "end of input inside a character constant"},
    {"BEGIN { x = \"a\n\"; }", D_STR_NL, 1, 13, "newline encountered in a string constant"},
    {"BEGIN { x = \"a", D_SYNTAX, 1, 13, "end of input inside a string constant"},
    {"BEGIN { /* x", D_COMMENT, 1, 9, "end of input inside a comment"},
    {"/* x", D_COMMENT, 1, 1, "end of input inside a comment"},
    {"BEGIN { $9; }", D_MACRO_UNDEF, 1, 9,
     "macro argument $9 is not defined: argument 9 is missing"},
    {"BEGIN { $foo; }", D_MACRO_UNDEF, 1, 9,
     "macro variable $foo is not defined; D writes a clause's variable \"this->foo\""},
    {"BEGIN { $6; }", D_MACRO_OFLOW, 1, 9,
     "macro argument $6 constant 99999999999999999999 results in integer overflow"},
    {"BEGIN { $13; }", D_INT_DIGIT, 1, 9, "invalid digit in octal constant 089"},
    {"BEGIN { $14; }", D_SYNTAX, 1, 9, "invalid suffix \"zip\" of integer constant 7"},
    {"syscall::$9:entry", D_MACRO_UNDEF, 1, 10,
     "macro argument $9 is not defined: argument 9 is missing"},
    {"pid$foo:::", D_MACRO_UNDEF, 1, 4,
     "macro variable $foo is not defined; D writes a clause's variable \"this->foo\""},
    {"BEGIN { $$9; }", D_MACRO_UNDEF, 1, 9,
     "macro argument $$9 is not defined: argument 9 is missing"},
    {"BEGIN { $ x; }", D_SYNTAX, 1, 9, "syntax error near \"$\""},
    {"#pragma D xyz", D_PRAGMA_INVAL, 1, 11, "invalid #pragma D: xyz"},
    {"#pragma D", D_PRAGMA_MALFORM, 1, 1, "malformed #pragma: a name is missing"},
    {"#pragma", D_PRAGMA_MALFORM, 1, 1, "end-of-file encountered before end of control line"},
    {"#pragma\n", D_PRAGMA_MALFORM, 1, 1, "malformed #pragma"},
    {"#pragma D option", D_PRAGMA_MALFORM, 1, 1, "malformed #pragma: an option is missing"},
    {"#define x 1", D_PRAGCTL_INVAL, 1, 1,
     "invalid control directive: #define (the preprocessor runs with -C only)"},
    {"BEGIN {\n#include <x.h>\n}", D_PRAGCTL_INVAL, 2, 1,
     "invalid control directive: #include (the preprocessor runs with -C only)"},
    {"#error no way", D_PRAGERR, 1, 1, "#error: no way"},
    {" BEGIN { # }", D_SYNTAX, 1, 10, "syntax error near \"#\""},
    {"#error", D_PRAGERR, 1, 1, "#error: "},
    {"int char x;", D_DECL_COMBO, 1, 5, "invalid type combination"},
    {"self this int x;", D_DECL_CLASS, 1, 6, "only one storage class is allowed in a declaration"},
    {"long long long x;", D_DECL_LONG2, 1, 11, "too many attributes \"long\" in a type"},
    {"signed unsigned x;", D_DECL_SIGN, 1, 8, "a type cannot be both signed and unsigned"},
    {"unsigned float x;", D_DECL_SIGNINT, 1, 1,
     "attributes \"signed\" and \"unsigned\" go with an integer type only"},
    {"short char x;", D_DECL_CHARATTR, 1, 1, "invalid attributes for char type"},
    {"long void x;", D_DECL_VOIDATTR, 1, 1, "invalid attributes for void type"},
    {"long float x;", D_DECL_LONGINT, 1, 1,
     "attributes \"long\" and \"short\" go with an integer or floating-point type only"},
    {"int f(register int x);", D_DECL_PARMCLASS, 1, 7,
     "inappropriate storage class for a parameter or a key"},
    {"struct s { self int x; };", D_DECL_CLASS, 1, 12, "a member cannot have a storage class"},
    {"struct s { int x }", D_SYNTAX, 1, 18, "syntax error near \"}\""},
    {"enum { A B };", D_SYNTAX, 1, 10, "syntax error near \"B\"; a ',' may be missing before it"},
    {"enum {};", D_SYNTAX, 1, 7, "syntax error near \"}\""},
    {"translator a < b *c > { x = 1 };", D_SYNTAX, 1, 31, "syntax error near \"}\""},
    {"translator a < b *c > { }", D_SYNTAX, 1, 26, "syntax error near end-of-input"},
    {"inline int x;", D_SYNTAX, 1, 13, "syntax error near \";\""},
    {"int f(int x) { return x; }", D_SYNTAX, 1, 14, "a function cannot be defined in D"},
    {"# 1 \"x.h\" 1\nint f(void)\n{ }", D_SYNTAX, 2, 1, "a function cannot be defined in D"},
    {"# 1 \"/x.h\" 1 3\nint f(void)\n{ {", D_SYNTAX, 2, 4,
     "syntax error near end-of-input; a '}' is missing"},
    {"provider p { probe a(int):(int):(int); };", D_SYNTAX, 1, 32, "syntax error near \":\""},
    {"BEGIN { a = ; }", D_SYNTAX, 1, 13, "syntax error near \";\""},
    {"BEGIN { (a; }", D_SYNTAX, 1, 11, "syntax error near \";\"; a ')' may be missing before it"},
    {"BEGIN { a[')'; }", D_SYNTAX, 1, 14,
     "syntax error near \";\"; a ']' may be missing before it"},
    {"BEGIN { /* ( */ a[\"(\"] b; }", D_SYNTAX, 1, 24,
     "syntax error near \"b\"; a ';' may be missing before it"},
    {"BEGIN { f(a \"b\"); }", D_SYNTAX, 1, 13,
     "syntax error near \"\"b\"\"; a ',' may be missing before it"},
    {"BEGIN { @a[] = 1; }", D_SYNTAX, 1, 12, "syntax error near \"]\""},
    {"BEGIN { a b; }", D_SYNTAX, 1, 11, "syntax error near \"b\""},
    {"BEGIN { a ? b; }", D_SYNTAX, 1, 14, "syntax error near \";\""},
    {"BEGIN { a.1; }", D_SYNTAX, 1, 10, "syntax error near \".1\""},
    {"BEGIN { sizeof(); }", D_SYNTAX, 1, 16, "syntax error near \")\""},
    {"BEGIN { self = 1; }", D_SYNTAX, 1, 14, "syntax error near \"=\""},
    {"BEGIN { self.x; }", D_SYNTAX, 1, 13,
     "syntax error near \".\"; D writes a thread's variable \"self->name\""},
    {"BEGIN { this . x; }", D_SYNTAX, 1, 14,
     "syntax error near \".\"; D writes a clause's variable \"this->name\""},
    {"kernel.function(\"x\") { }", D_SYNTAX, 1, 16,
     "syntax error near \"(\"; D writes this \"fbt::NAME:entry\""},
    {"timer.s(1) { }", D_SYNTAX, 1, 8,
     "syntax error near \"(\"; D writes this \"tick-1s\" or \"tick-1ms\""},
    {"BEGIN { f(1) g(2); }", D_SYNTAX, 1, 14,
     "syntax error near \"g\"; a ';' may be missing before it"},
    {"BEGIN { @a = count()\n @b = count(); }", D_SYNTAX, 2, 2,
     "syntax error near \"@b\"; a ';' may be missing before it"},
    {"BEGIN { x = y\n z = 1; }", D_SYNTAX, 2, 2,
     "syntax error near \"z\"; a ';' may be missing before it"},
    {"BEGIN { x = \"y\"\n z = 1; }", D_SYNTAX, 2, 2,
     "syntax error near \"z\"; a ';' may be missing before it"},
    {"config = { a = b }", D_SYNTAX, 1, 8,
     "syntax error near \"=\"; D writes this \"#pragma D option NAME=VALUE\""},
    {"#! x\n/*\n * usage:\tf.d PID */\nBEGIN { $9; }", D_MACRO_UNDEF, 4, 9,
     "macro argument $9 is not defined: argument 9 is missing; usage: f.d PID"},
    {"BEGIN { $9; } /* usage: f.d */", D_MACRO_UNDEF, 1, 9,
     "macro argument $9 is not defined: argument 9 is missing"},
    {"BEGIN { \\ }", D_SYNTAX, 1, 9, "syntax error near \"\\\""},
    {"BEGIN { \"%s\" % }", D_SYNTAX, 1, 16, "syntax error near \"}\""},
    {"99999999999999999999 {}", D_INT_OFLOW, 1, 1,
     "probe identifier 99999999999999999999 is too large"},
    {"BEGIN { \200 }", D_SYNTAX, 1, 9, "syntax error near \"\\200\""},
};

static bool is_type(void *arg, const char *name)
{
	static const char *const types[] = {"uint64_t", "size_t",    "foo_t",
					    "psinfo_t", "mod`foo_t", "`k_t"};
	struct world *w = arg;

	w->asked++;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i], name))
			return true;
	return false;
}

static const char *macro_arg(void *arg, const char *name)
{
	static const char *const macros[][2] = {
	    {"0", "script.d"},
	    {"1", "42"},
	    {"2", "execname"},
	    {"3", "foo bar"},
	    {"4", "-7"},
	    {"5", "0x10"},
	    {"6", "99999999999999999999"},
	    {"7", ""},
	    {"8", "-0x1f"},
	    {"10", "\"a\\tb\\\"c\""},
	    {"11", "\""},
	    {"12", "017"},
	    {"13", "089"},
	    {"14", "7zip"},
	    {"15", "10.0.0.1"},
	    {"target", "123"},
	    {"pid", "77"},
	};

	(void)arg;
	for (size_t i = 0; i < ARRAY_SIZE(macros); i++)
		if (!strcmp(macros[i][0], name))
			return macros[i][1];
	return NULL;
}

static void note_option(void *arg, struct loc loc, const char *text)
{
	struct world *w = arg;
	int line, column;

	loc_pos(loc, &line, &column);
	sb_printf(&w->options, "%d:%d %s;", line, column, text);
}

struct run {
	struct world world;
	struct diag diag;
	struct arena *arena;
	struct parse p;
	struct node *tree; /* NULL after an error */
};

static void parse(struct run *r, const char *text, size_t len, struct node *(*how)(struct parse *))
{
	r->arena = arena_new();
	r->p.arena = r->arena;
	r->p.diag = &r->diag;
	r->p.is_type = is_type;
	r->p.macro_arg = macro_arg;
	r->p.arg = &r->world;
	r->p.src = source_new(r->arena, SOURCE_FILE, "test.d", text, len);
	r->tree = NULL;
	if (!setjmp(r->diag.recover))
		r->tree = how(&r->p);
}

static void end(struct run *r)
{
	sb_free(&r->world.options);
	sb_free(&r->diag.msg);
	sb_free(&r->diag.warned);
	vec_free(&r->diag.warnings);
	arena_free(r->arena);
}

/* The dump in one line. */
static char *dump(const struct node *n)
{
	char *text, *to, *from;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	node_dump(n, f, 0, NULL, NULL);
	fclose(f);
	for (from = to = text; *from; from++) {
		if (*from != '\n') {
			*to++ = *from;
			continue;
		}
		while (from[1] == ' ')
			from++;
		*to++ = ' ';
	}
	to[-1] = '\0';
	return text;
}

/* Compares the part of the tree that is chosen. */
static void check_tree(const char *text, struct node *(*how)(struct parse *),
		       const struct node *(*choose)(const struct node *), const char *want)
{
	struct run r = {0};
	char *got;

	parse(&r, text, strlen(text), how);
	ck_assert_msg(r.tree != NULL, "%s: %s", text, sb_str(&r.diag.msg));
	got = dump(choose(r.tree));
	ck_assert_msg(!strcmp(got, want), "%s\n got %s\nwant %s", text, got, want);
	free(got);
	end(&r);
}

static const struct node *all(const struct node *n)
{
	return n;
}

/* The expression of the first statement of the first clause. */
static const struct node *expression(const struct node *n)
{
	return n->list->b->list->a;
}

START_TEST(test_program)
{
	check_tree(programs[_i].text, parse_program, all, programs[_i].tree);
}
END_TEST

START_TEST(test_expression)
{
	char *text = xasprintf("BEGIN{%s}", expressions[_i].text);

	check_tree(text, parse_program, expression, expressions[_i].tree);
	free(text);
}
END_TEST

START_TEST(test_type)
{
	check_tree(types[_i].text, parse_type, all, types[_i].tree);
}
END_TEST

START_TEST(test_prototype)
{
	check_tree(prototypes[_i].text, parse_prototype, all, prototypes[_i].tree);
}
END_TEST

static void check_error(const char *text, size_t len, struct node *(*how)(struct parse *),
			const struct error_row *want)
{
	struct run r = {0};
	int line, column;

	parse(&r, text, len, how);
	ck_assert_msg(!r.tree, "parsed: %.60s", text);
	loc_pos(r.diag.loc, &line, &column);
	ck_assert_msg(r.diag.tag == want->tag && line == want->line && column == want->column,
		      "%.60s\n got %s %d:%d %s", text, tag_name(r.diag.tag), line, column,
		      sb_str(&r.diag.msg));
	ck_assert_str_eq(sb_str(&r.diag.msg), want->msg);
	end(&r);
}

START_TEST(test_error)
{
	check_error(errors[_i].text, strlen(errors[_i].text), parse_program, &errors[_i]);
}
END_TEST

START_TEST(test_type_error)
{
	static const struct error_row types[] = {
	    {"", D_SYNTAX, 1, 1, "syntax error near end-of-input"},
	    {"int x", D_SYNTAX, 1, 5, "syntax error near \"x\""},
	    {"int)", D_SYNTAX, 1, 4, "syntax error near \")\""},
	    {"3", D_SYNTAX, 1, 1, "syntax error near \"3\""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		check_error(types[i].text, strlen(types[i].text), parse_type, &types[i]);
}
END_TEST

START_TEST(test_nul)
{
	static const struct error_row want = {NULL, D_SYNTAX, 2, 1,
					      "syntax error near a NUL character"};

	check_error("BEGIN\n\0{}", 9, parse_program, &want);
}
END_TEST

/* Text repeated so often that it nests: refused when it is too much, parsed when it is not. */
START_TEST(test_depth)
{
	static const struct {
		const char *head, *again, *tail;
		int fine, bad;
	} rows[] = {
	    {"BEGIN{", "(", "", 0, 513},
	    {"BEGIN{a=", "-", "1}", 900, 100000},
	    {"BEGIN{a=1", "+1", "}", 900, 1100},
	    {"BEGIN{a=1", "+1", "}", 900, 200000},
	    {"BEGIN{", "{", "", 0, 100000},
	    {"BEGIN{", "if(a)", ";}", 400, 100000},
	    {"BEGIN{a", "[1]", "}", 900, 2000},
	    {"int ", "*", "x;", 255, 257},
	    {"BEGIN{a", "=b", "}", 900, 50000},
	    {"BEGIN{a", "?b:c", "}", 900, 50000},
	    {"int a", "[1]", ";", 256, 257},
	    {"", "struct{", "", 0, 1000},
	    {"int f(", "int(", "", 0, 100000},
	    {"BEGIN{a=", "(int)", "1}", 900, 100000},
	    {"BEGIN{", "if(a);else ", ";}", 400, 100000},
	    {"BEGIN{", "a,", "a}", 900, 3000},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (int bad = 0; bad < 2; bad++) {
			struct strbuf sb = {0};
			struct run r = {0};

			sb_puts(&sb, rows[i].head);
			for (int n = bad ? rows[i].bad : rows[i].fine; n; n--)
				sb_puts(&sb, rows[i].again);
			sb_puts(&sb, rows[i].tail);
			parse(&r, sb.s, sb.len, parse_program);
			if (bad)
				ck_assert_str_eq(sb_str(&r.diag.msg),
						 "the program is nested too deeply here");
			else if (rows[i].fine)
				ck_assert_msg(r.tree != NULL, "%s: %s", rows[i].again,
					      sb_str(&r.diag.msg));
			end(&r);
			sb_free(&sb);
		}
	}
}
END_TEST

START_TEST(test_long)
{
	struct strbuf sb = {0};
	struct run r = {0};

	for (int i = 0; i < 20000; i++)
		sb_printf(&sb, "typedef int t%d; t%d v%d; BEGIN { a%d = (t%d)%d; }\n", i, i, i, i,
			  i, i);
	parse(&r, sb.s, sb.len, parse_program);
	ck_assert_msg(r.tree != NULL, "%s", sb_str(&r.diag.msg));
	ck_assert_int_eq(node_count(r.tree->list), 60000);
	end(&r);
	sb_free(&sb);
}
END_TEST

/* Asking for a type may read the types of the whole kernel, so an ordinary script must not. */
START_TEST(test_asks_seldom)
{
	static const char text[] =
	    "#!/usr/sbin/dtrace -s\nint x; struct foo *p; unknown_t *q;\n"
	    "syscall::read:entry /pid == $target && (x + 1) / 2/ { self->t = timestamp; "
	    "trace((x)); }\n"
	    "BEGIN, fbt::foo:entry { @a[execname] = sum((char *)arg0 - (foo *)0); }\nEND";
	struct run r = {0};

	parse(&r, text, strlen(text), parse_program);
	ck_assert_msg(r.tree != NULL, "%s", sb_str(&r.diag.msg));
	ck_assert_int_eq(r.world.asked, 0);
	end(&r);
}
END_TEST

START_TEST(test_options)
{
	static const char text[] =
	    "#pragma D option quiet\nBEGIN {\n\t#pragma D option  a=b c \r\n}";
	struct run r = {0};

	r.p.pragma_option = note_option;
	parse(&r, text, strlen(text), parse_program);
	ck_assert_msg(r.tree != NULL, "%s", sb_str(&r.diag.msg));
	ck_assert_str_eq(sb_str(&r.world.options), "1:18 quiet;3:20 a=b c;");
	ck_assert_int_eq(node_count(r.tree->list), 1);
	end(&r);
}
END_TEST

START_TEST(test_defaultargs)
{
	static const char text[] = "syscall::$9:entry { a = $9 ? $9 : 1; b = $$9 == \"\"; }";
	struct run r = {0};
	char *got;

	r.p.defaultargs = true;
	parse(&r, text, strlen(text), parse_program);
	ck_assert_msg(r.tree != NULL, "%s", sb_str(&r.diag.msg));
	got = dump(r.tree);
	ck_assert_str_eq(got, "(program (clause (pdesc \"syscall:::entry\") (body "
			      "(expr (= a (? (macro 0) (macro 0) 1))) "
			      "(expr (= b (== (macro \"\") \"\"))))))");
	free(got);
	end(&r);
}
END_TEST

/* Line and column after the markers of cpp, and the length of what is underlined. */
START_TEST(test_places)
{
	static const char text[] = "# 1 \"x.d\"\nBEGIN\n{\n\ttrace(a ->bcd\n\t\t+ 12);\n}\n";
	struct run r = {0};
	const struct node *sum;
	int line, column;

	parse(&r, text, strlen(text), parse_program);
	ck_assert_msg(r.tree != NULL, "%s", sb_str(&r.diag.msg));
	sum = r.tree->list->b->list->a->list;
	loc_pos(sum->loc, &line, &column);
	ck_assert_int_eq(line, 3);
	ck_assert_int_eq(column, 8);
	ck_assert_int_eq(sum->loc.len, strlen("a ->bcd\n\t\t+ 12"));
	loc_pos(sum->b->loc, &line, &column);
	ck_assert_int_eq(line, 4);
	ck_assert_int_eq(column, 5);
	ck_assert_int_eq(sum->a->loc.len, strlen("a ->bcd"));
	end(&r);
}
END_TEST

/* What the dump does not show. */
START_TEST(test_flags)
{
	static const char text[] = "BEGIN { f((a), $2, 0x1, g[1]); }";
	struct run r = {0};
	const struct node *n;

	parse(&r, text, strlen(text), parse_program);
	ck_assert_msg(r.tree != NULL, "%s", sb_str(&r.diag.msg));
	n = r.tree->list->b->list->a->list;
	ck_assert(n->paren && n->kind == N_IDENT && !n->is_macro);
	n = n->next;
	ck_assert(!n->paren && n->kind == N_IDENT);
	n = n->next;
	ck_assert(n->kind == N_INT && !n->decimal && !n->is_char && n->suffix == SUFFIX_NONE);
	ck_assert_int_eq(n->next->depth, 2);
	end(&r);
}
END_TEST

static void add_rows(Suite *s, const char *name, const TTest *test, int rows)
{
	TCase *t = tcase_create(name);

	tcase_add_loop_test(t, test, 0, rows);
	suite_add_tcase(s, t);
}

Suite *parse_suite(void)
{
	Suite *s = suite_create("parse");
	TCase *t = tcase_create("rest");

	add_rows(s, "programs", test_program, ARRAY_SIZE(programs));
	add_rows(s, "expressions", test_expression, ARRAY_SIZE(expressions));
	add_rows(s, "types", test_type, ARRAY_SIZE(types));
	add_rows(s, "prototypes", test_prototype, ARRAY_SIZE(prototypes));
	add_rows(s, "errors", test_error, ARRAY_SIZE(errors));
	tcase_add_test(t, test_type_error);
	tcase_add_test(t, test_nul);
	tcase_add_test(t, test_depth);
	tcase_add_test(t, test_long);
	tcase_add_test(t, test_asks_seldom);
	tcase_add_test(t, test_options);
	tcase_add_test(t, test_defaultargs);
	tcase_add_test(t, test_places);
	tcase_add_test(t, test_flags);
	suite_add_tcase(s, t);
	return s;
}
