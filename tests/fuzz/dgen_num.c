/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers: C's types and conversions. Overflow wraps; that of an int, which C does not define, is
 * cast to int. */
#include <string.h>

#include "tests/fuzz/dgen.h"

enum prec {
	P_COMMA = 1,
	P_ASSIGN,
	P_COND,
	P_OR,
	P_XORXOR,
	P_AND,
	P_BOR,
	P_BXOR,
	P_BAND,
	P_EQ,
	P_REL,
	P_SHIFT,
	P_ADD,
	P_MUL,
	P_UNARY,
	P_POSTFIX,
	P_PRIMARY
};

const char *const dgen_types[NTYPES][4] = {
    [I8] = {"signed char", "char", "int8_t", "char"},
    [U8] = {"unsigned char", "uint8_t", "uchar_t", "unsigned char"},
    [I16] = {"short", "int16_t", "short int", "signed short"},
    [U16] = {"unsigned short", "uint16_t", "ushort_t", "unsigned short int"},
    [I32] = {"int", "int32_t", "signed", "signed int"},
    [U32] = {"unsigned int", "uint32_t", "unsigned", "uint_t"},
    [I64] = {"long long", "int64_t", "long", "signed long"},
    [U64] = {"unsigned long long", "uint64_t", "unsigned long", "size_t"},
};

static const struct {
	const char *text;
	int prec;
} ops[] = {
    {"+", P_ADD}, {"-", P_ADD},	 {"*", P_MUL},	  {"/", P_MUL},	   {"%", P_MUL}, {"&", P_BAND},
    {"|", P_BOR}, {"^", P_BXOR}, {"<<", P_SHIFT}, {">>", P_SHIFT}, {"==", P_EQ}, {"!=", P_EQ},
    {"<", P_REL}, {"<=", P_REL}, {">", P_REL},	  {">=", P_REL},
};
enum { ADD, SUB, MUL, DIV, MOD, AND, OR, XOR, SHL, SHR, EQ, NE, LT, LE, GT, GE, NOPS };

int dgen_size(int type)
{
	return 1 << type / 2;
}

bool dgen_signed(int type)
{
	return type % 2 == 0;
}

int64_t dgen_fit(int type, int64_t v)
{
	switch (type) {
	case I8:
		return (int8_t)v;
	case U8:
		return (uint8_t)v;
	case I16:
		return (int16_t)v;
	case U16:
		return (uint16_t)v;
	case I32:
		return (int32_t)v;
	case U32:
		return (uint32_t)v;
	default:
		return v;
	}
}

static int promoted(int type)
{
	return type < I32 ? I32 : type;
}

/* The wider one, of the same width the unsigned one. */
static int common(int a, int b)
{
	a = promoted(a);
	b = promoted(b);
	return a > b ? a : b;
}

static int64_t divide(bool is_signed, bool rest, int64_t a, int64_t b)
{
	if (!b)
		return 0; /* not run */
	if (!is_signed)
		return rest ? (uint64_t)a % (uint64_t)b : (uint64_t)a / (uint64_t)b;
	if (b == -1)
		return rest ? 0 : (int64_t)(0 - (uint64_t)a);
	return rest ? a % b : a / b;
}

/* a and b have the type t (the count of a shift any). */
static int64_t apply(int op, int t, int64_t a, int64_t b)
{
	bool s = dgen_signed(t);
	uint64_t ua = a, ub = b;

	switch (op) {
	case ADD:
		return dgen_fit(t, ua + ub);
	case SUB:
		return dgen_fit(t, ua - ub);
	case MUL:
		return dgen_fit(t, ua * ub);
	case DIV:
		return dgen_fit(t, divide(s, false, a, b));
	case MOD:
		return dgen_fit(t, divide(s, true, a, b));
	case AND:
		return a & b;
	case OR:
		return a | b;
	case XOR:
		return dgen_fit(t, a ^ b);
	case SHL:
		return dgen_fit(t, ua << (ub & 63));
	case SHR:
		return dgen_fit(t, s ? a >> (ub & 63) : (int64_t)(ua >> (ub & 63)));
	case EQ:
		return a == b;
	case NE:
		return a != b;
	case LT:
		return s ? a < b : ua < ub;
	case LE:
		return s ? a <= b : ua <= ub;
	case GT:
		return s ? a > b : ua > ub;
	default:
		return s ? a >= b : ua >= ub;
	}
}

static struct num number(int type, int64_t v, int prec)
{
	return (struct num){type, v, prec, false, false};
}

static int64_t interesting(struct dgen *g)
{
	static const int64_t some[] = {0,	   1,
				       2,	   3,
				       7,	   8,
				       10,	   127,
				       128,	   255,
				       256,	   1000,
				       32767,	   32768,
				       65535,	   65536,
				       INT32_MAX,  INT32_MAX + 1LL,
				       UINT32_MAX, UINT32_MAX + 1LL,
				       INT64_MAX,  INT64_MIN,
				       -1,	   -2,
				       -128};
	uint64_t wide = (uint64_t)dgen_pick(g, 1u << 31) << 33 ^ (uint64_t)dgen_pick(g, 1u << 31)
								     << 10;

	if (dgen_chance(g, 70))
		return some[dgen_pick(g, sizeof(some) / sizeof(*some))];
	return (int64_t)(wide ^ dgen_pick(g, 1024)) >> dgen_pick(g, 60);
}

/* A number of a type that the text alone says, or with a cast. */
static struct num literal(struct dgen *g)
{
	struct num n = {I32, interesting(g), P_PRIMARY, true, false};
	int style = dgen_pick(g, 4), type = dgen_pick(g, NTYPES);

	if (style == 0) { /* decimal: int or long */
		n.v &= INT64_MAX;
		n.type = n.v > INT32_MAX ? I64 : I32;
		dgen_put(g, "%lld", (long long)n.v);
	} else if (style == 1) { /* hexadecimal: the first type that can hold it */
		uint64_t u = n.v;

		n.type = u <= INT32_MAX ? I32 : u <= UINT32_MAX ? U32 : u <= INT64_MAX ? I64 : U64;
		dgen_put(g, dgen_chance(g, 80) ? "0x%llx" : "0%llo", (unsigned long long)u);
	} else if (style == 2) {
		n.type = U64;
		dgen_put(g, "%llu%s", (unsigned long long)n.v, dgen_chance(g, 50) ? "ull" : "UL");
	} else {
		n.type = type;
		n.v = dgen_fit(type, n.v);
		n.prec = P_UNARY;
		dgen_put(g, "(%s)0x%llx", dgen_types[type][dgen_pick(g, 4)],
			 (unsigned long long)n.v);
	}
	return n;
}

struct num dgen_operand(struct dgen *g, int depth, int prec)
{
	size_t at = g->d.len;
	struct num n = dgen_num(g, depth);

	if (n.prec < prec || dgen_chance(g, 20)) {
		dgen_wrap(g, at, "(", ")");
		n.prec = P_PRIMARY;
	}
	return n;
}

void dgen_exact(struct dgen *g, int type, int64_t v, int depth)
{
	size_t at = g->d.len;
	struct num n;

	if (depth <= 0 || dgen_chance(g, 50)) {
		dgen_put(g, "(%s)0x%llx", dgen_types[type][0], (unsigned long long)v);
		return;
	}
	n = dgen_num(g, depth);
	dgen_wrap(g, at, arena_printf(g->mem, "(%s)((long long)(", dgen_types[type][0]),
		  arena_printf(g->mem, ") - 0x%llx + 0x%llx)", (unsigned long long)n.v,
			       (unsigned long long)v));
}

/* What begins at this place, with a cast to a type. */
static struct num cast_to(struct dgen *g, size_t at, int type, struct num n)
{
	dgen_wrap(g, at, arena_printf(g->mem, "(%s)(", dgen_types[type][0]), ")");
	n.type = type;
	n.v = dgen_fit(type, n.v);
	n.prec = P_UNARY;
	n.wide = false;
	return n;
}

/* The second of two operands, which begins at this place. An int below zero is another unsigned
 * number beside one of 64 bits than in C. */
static struct num beside(struct dgen *g, size_t at, struct num a, struct num b)
{
	bool differs = (a.wide && b.v < 0) || (b.wide && a.v < 0);

	return differs && common(a.type, b.type) == U32 ? cast_to(g, at, U32, b) : b;
}

/* The operation that begins at this place. What overflows an int has 64 bits, and below zero these
 * become another unsigned int than C's. With an operand that has them an unsigned int does not
 * wrap. */
static struct num result(struct dgen *g, size_t at, int op, int t, int64_t a, int64_t b,
			 struct num n)
{
	n.v = apply(op, t, a, b);
	if (op >= EQ || t > U32)
		n.wide = false;
	else if (t == I32 && (n.v != apply(op, I64, a, b) || n.v < 0))
		n = cast_to(g, at, I32, n);
	else if (t == U32 && n.v != apply(op, U64, a, b))
		n = cast_to(g, at, U32, n);
	else
		n.wide |= t == I32;
	return n;
}

/* Shifts by less than the width. */
static struct num shift(struct dgen *g, int depth, int op)
{
	size_t at = g->d.len;
	struct num a = dgen_operand(g, depth, P_SHIFT), b;
	int t = promoted(a.type), mask = dgen_size(t) * 8 - 1;

	dgen_put(g, " %s (", ops[op].text);
	b = dgen_operand(g, depth, P_BAND);
	dgen_put(g, " & %d)", mask);
	return result(g, at, op, t, a.v, b.v & mask,
		      (struct num){t, 0, P_SHIFT, a.constant && b.constant, a.wide});
}

static struct num binary(struct dgen *g, int depth)
{
	int op = dgen_pick(g, NOPS), t;
	size_t begin = g->d.len, at;
	struct num a, b;

	if (op == SHL || op == SHR)
		return shift(g, depth, op);
	a = dgen_operand(g, depth, ops[op].prec);
	dgen_put(g, " %s ", ops[op].text);
	at = g->d.len;
	b = dgen_operand(g, depth, ops[op].prec + 1);
	if ((op == DIV || op == MOD) && !b.v) {
		dgen_wrap(g, at, "((", ") | 1)");
		b.type = promoted(b.type);
		b.v = 1;
	}
	b = beside(g, at, a, b);
	t = common(a.type, b.type);
	return result(g, begin, op, t, dgen_fit(t, a.v), dgen_fit(t, b.v),
		      (struct num){op < EQ ? t : I32, 0, ops[op].prec, a.constant && b.constant,
				   a.wide || b.wide});
}

static struct num unary(struct dgen *g, int depth)
{
	static const char op[] = "-~!+";
	int which = dgen_pick(g, 4), t;
	size_t at = g->d.len;
	struct num n;
	bool plain;

	dgen_put(g, "%c", op[which]);
	n = dgen_operand(g, depth, P_UNARY);
	if (g->d.s[at + 1] == op[which])
		dgen_wrap(g, at + 1, " ", "");
	t = which == 2 ? I32 : promoted(n.type);
	plain = n.prec == P_POSTFIX; /* a variable: it has no more bits than its type */
	n.type = t;
	n.prec = P_UNARY;
	if (which == 0)
		return result(g, at, SUB, t, 0, dgen_fit(t, n.v), n);
	n.v = dgen_fit(t, which == 1 ? ~n.v : which == 2 ? !n.v : n.v);
	n.wide &= which != 2 && t <= U32;
	return which == 1 && t == I32 && !plain ? cast_to(g, at, I32, n) : n;
}

static struct num cast(struct dgen *g, int depth)
{
	int t = dgen_pick(g, NTYPES);
	struct num n;

	dgen_put(g, "(%s)", dgen_types[t][dgen_pick(g, 4)]);
	n = dgen_operand(g, depth, P_UNARY);
	return (struct num){t, dgen_fit(t, n.v), P_UNARY, n.constant, false};
}

static struct num logical(struct dgen *g, int depth)
{
	int op = dgen_pick(g, 3);
	static const char *const text[] = {"&&", "||", "^^"};
	static const int prec[] = {P_AND, P_OR, P_XORXOR};
	struct num a = dgen_operand(g, depth, prec[op] + 1), b;
	bool skip = op == 0 ? !a.v : op == 1 ? a.v != 0 : false;

	dgen_put(g, " %s ", text[op]);
	g->dead += skip;
	b = dgen_operand(g, depth, prec[op] + 1);
	g->dead -= skip;
	return (struct num){I32,
			    op == 0   ? a.v && b.v
			    : op == 1 ? a.v || b.v
				      : !a.v != !b.v,
			    prec[op], a.constant && (skip || b.constant), false};
}

/* Of a constant condition the type is that of the one arm or of both: a cast makes it one. */
static struct num cond(struct dgen *g, int depth)
{
	size_t begin = g->d.len, at;
	struct num c = dgen_operand(g, depth, P_OR), a, b, n;
	bool yes = c.v != 0;

	dgen_put(g, " ? ");
	g->dead += !yes;
	a = dgen_operand(g, depth, P_COND);
	g->dead += yes - !yes;
	dgen_put(g, " : ");
	at = g->d.len;
	b = dgen_operand(g, depth, P_COND);
	g->dead -= yes;
	b = beside(g, at, a, b);
	n = number(common(a.type, b.type), yes ? a.v : b.v, P_COND);
	n.v = dgen_fit(n.type, n.v);
	n.constant = c.constant && (yes ? a.constant : b.constant);
	n.wide = n.type <= U32 && (a.wide || b.wide);
	return c.constant || (n.wide && n.v < 0) ? cast_to(g, begin, n.type, n) : n;
}

/* Variables --------------------------------------------------------------- */

static struct num read_array(struct dgen *g, int depth)
{
	struct table *t = dgen_array(g, false, false);
	struct elem *e;
	struct key k;

	if (!t)
		return literal(g);
	dgen_put(g, "%s", t->name);
	k = dgen_key(g, t, depth);
	e = dgen_elem(g, t, &k, false);
	return number(t->type, e ? e->val.num : 0, P_POSTFIX);
}

static struct num read_var(struct dgen *g)
{
	struct var *v = dgen_var_read(g, false);

	if (!v)
		return literal(g);
	if (v->bits) {
		dgen_put(g, "(long)%s", v->name);
		return number(I64, v->val.num, P_UNARY);
	}
	if (v->global && dgen_chance(g, 10)) {
		dgen_put(g, "*&%s", v->name);
		return number(v->type, v->val.num, P_UNARY);
	}
	dgen_put(g, "%s", v->name);
	return number(v->type, v->val.num, P_POSTFIX);
}

static int64_t fit_bits(const struct var *v, int64_t n)
{
	if (!v->bits)
		return dgen_fit(v->type, n);
	n = (uint64_t)n << (64 - v->bits);
	return dgen_signed(v->type) ? n >> (64 - v->bits)
				    : (int64_t)((uint64_t)n >> (64 - v->bits));
}

struct target {
	struct var *var;
	struct table *table;
	struct key key;
	int type;
	int64_t old;
};

static bool target(struct dgen *g, struct target *t, int depth, bool bits)
{
	struct elem *e;

	*t = (struct target){0};
	if (dgen_chance(g, 25) && (t->table = dgen_array(g, false, true))) {
		dgen_put(g, "%s", t->table->name);
		t->type = t->table->type;
		t->key = dgen_key(g, t->table, depth);
		e = dgen_elem(g, t->table, &t->key, false);
		t->old = e ? e->val.num : 0;
		return true;
	}
	t->var = dgen_var_write(g, false, bits);
	if (!t->var)
		return false;
	dgen_put(g, "%s", t->var->name);
	t->type = t->var->type;
	t->old = t->var->val.num;
	return true;
}

static struct num store(struct dgen *g, const struct target *t, int64_t v, int prec)
{
	v = t->var ? fit_bits(t->var, v) : dgen_fit(t->type, v);
	if (dgen_live(g) && t->var) {
		t->var->val.num = v;
		t->var->set = true;
	} else if (dgen_live(g)) {
		dgen_elem(g, t->table, &t->key, true)->val.num = v;
	}
	return number(t->type, v, prec);
}

static bool unset(const struct dgen *g, const struct target *t)
{
	return t->var && t->var->clause_local && !t->var->set && dgen_live(g);
}

/* x op= y */
static struct num compound(struct dgen *g, const struct target *t, int depth)
{
	static const int plain[] = {ADD, SUB, AND, OR, XOR};
	int op = t->var && t->var->bits ? plain[dgen_pick(g, 5)] : (int)dgen_pick(g, EQ), type;
	bool is_shift = op == SHL || op == SHR;
	struct num n;
	size_t at;

	dgen_put(g, " %s= ", ops[op].text);
	at = g->d.len;
	n = dgen_operand(g, depth, P_ASSIGN);
	if (is_shift) {
		int mask = dgen_size(promoted(t->type)) * 8 - 1;

		dgen_wrap(g, at, "(", arena_printf(g->mem, ") & %d", mask));
		n.v &= mask;
	} else if ((op == DIV || op == MOD) && !n.v) {
		dgen_wrap(g, at, "(", ") | 1");
		n.type = promoted(n.type);
		n.v = 1;
	}
	n = beside(g, at, number(t->type, t->old, P_POSTFIX), n);
	type = is_shift ? promoted(t->type) : common(t->type, n.type);
	return store(g, t,
		     apply(op, type, dgen_fit(type, t->old), is_shift ? n.v : dgen_fit(type, n.v)),
		     P_ASSIGN);
}

/* Also the first value of a this-> variable, which nothing may be added to. */
struct num dgen_assign(struct dgen *g, int depth, bool statement)
{
	size_t at = g->d.len;
	struct target t;
	struct num n;
	int form;

	if (!target(g, &t, depth, statement))
		return literal(g);
	form = unset(g, &t) ? 0 : dgen_pick(g, t.var && t.var->bits ? 2 : 4);
	if (form == 1)
		return compound(g, &t, depth);
	if (form == 2) {
		bool inc = dgen_chance(g, 50);

		dgen_put(g, inc ? "++" : "--");
		store(g, &t, (int64_t)((uint64_t)t.old + (inc ? 1 : -1)), P_POSTFIX);
		return number(t.type, t.old, P_POSTFIX);
	}
	if (form == 3) {
		bool inc = dgen_chance(g, 50);

		dgen_wrap(g, at, inc ? "++" : "--", "");
		return store(g, &t, (int64_t)((uint64_t)t.old + (inc ? 1 : -1)), P_UNARY);
	}
	dgen_put(g, " = ");
	n = dgen_operand(g, depth, P_ASSIGN);
	return store(g, &t, n.v, P_ASSIGN);
}

/* What is known of builtins ----------------------------------------------- */

static struct num builtin(struct dgen *g, int depth)
{
	static const struct {
		const char *text;
		int type, v;
	} known[] = {
	    {"(pid == $1)", I32, 1},
	    {"(int)(tid - tid)", I32, 0},
	    {"(timestamp - timestamp)", U64, 0},
	    {"(cpu == cpu)", I32, 1},
	    {"(walltimestamp > 0)", I32, 1},
	    {"(strlen(execname) > 0)", I32, 1},
	    {"(execname == execname)", I32, 1},
	    {"sizeof (int)", U64, 4},
	    {"(epid ^ epid)", U64, 0},
	    {"(uint_t)(uid - uid)", U32, 0},
	    {"(ipl | 2)", U32, 2},
	    {"(vtimestamp - vtimestamp)", U64, 0},
	};
	static const struct {
		const char *name;
		int type;
	} swaps[] = {{"htons", U16}, {"htonl", U32}, {"htonll", U64},
		     {"ntohs", U16}, {"ntohl", U32}, {"ntohll", U64}};
	int i = dgen_pick(g, 18);
	struct num n;

	if (i < 12) {
		dgen_put(g, "%s", known[i].text);
		return (struct num){known[i].type, known[i].v, P_UNARY, i == 7, false};
	}
	i -= 12;
	dgen_put(g, "%s(", swaps[i].name);
	n = dgen_operand(g, depth, P_ASSIGN);
	dgen_put(g, ")");
	n.v = dgen_fit(swaps[i].type, n.v);
	n.v = swaps[i].type == U16   ? __builtin_bswap16(n.v)
	      : swaps[i].type == U32 ? __builtin_bswap32(n.v)
				     : (int64_t)__builtin_bswap64(n.v);
	return number(swaps[i].type, n.v, P_POSTFIX);
}

static struct num comma(struct dgen *g, int depth)
{
	struct num n;

	dgen_put(g, "(");
	dgen_operand(g, depth, P_ASSIGN);
	dgen_put(g, ", ");
	n = dgen_operand(g, depth, P_ASSIGN);
	dgen_put(g, ")");
	n.prec = P_PRIMARY;
	return n;
}

struct num dgen_num(struct dgen *g, int depth)
{
	unsigned which = dgen_pick(g, 100);

	depth--;
	if (depth <= 0 || --g->budget <= 0)
		return which < 35 ? literal(g) : read_var(g);
	if (which < 34)
		return binary(g, depth);
	if (which < 42)
		return unary(g, depth);
	if (which < 50)
		return cast(g, depth);
	if (which < 58)
		return logical(g, depth);
	if (which < 65)
		return cond(g, depth);
	if (which < 72)
		return dgen_assign(g, depth, false);
	if (which < 80)
		return dgen_str_number(g, depth);
	if (which < 84)
		return builtin(g, depth);
	if (which < 86)
		return comma(g, depth);
	if (which < 91)
		return read_array(g, depth);
	return which < 95 ? literal(g) : read_var(g);
}
