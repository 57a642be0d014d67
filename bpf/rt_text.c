/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Routines that go through a text one character after the other, and remember much on the way. The
 * step for one character is a routine of its own, which the verifier walks once, and all that it
 * remembers is in words of the table: so the loop costs the verifier a few instructions a round.
 */
#include "bpf/rt_build.h"

static void word_set(struct rtb *b, int word, int32_t imm)
{
	ir_sti(b->ir, 8, b->priv, PRIV_TABLE + 8 * word, imm);
}

static void word_add(struct rtb *b, int word, int32_t by)
{
	int r = rtb_word(b, word);

	ir_alui(b->ir, BPF_ADD, r, by);
	rtb_set_word(b, word, r);
}

/* A new register with the byte at an offset of the slot, which is checked. */
static int byte_at(struct rtb *b, int off)
{
	int c = ir_reg(b->ir);

	ir_ld(b->ir, 1, c, rtb_at(b, b->slot, off, b->last_off + b->strsize), 0);
	return c;
}

/*
 * rt_cleanpath. The path is read from its end. A component goes to the text, which grows towards
 * the front of the private part's second half, before it is known whether it stays. At the slash in
 * front of it, it is taken back if it is "", "." or "..", or if a ".." after it is still without a
 * partner; a component that stays gets its slash in front. The last component stays even if it is
 * "" or ".", and leaves a slash if it is "..". What has no slash in front, the beginning of a
 * relative path, is never special.
 */
enum {
	CLEAN_AT,   /* where the text begins, from the area's start */
	CLEAN_PART, /* where it began before the component at hand */
	CLEAN_UP,   /* ".." without partners */
};
enum { CLEAN_AREA = 304 }; /* of the private part: what routines otherwise only read */

/* Puts a character in front of the text. */
static void clean_push(struct rtb *b, int c)
{
	int at = rtb_word(b, CLEAN_AT), p;

	ir_alui(b->ir, BPF_SUB, at, 1);
	p = rtb_at(b, b->priv, at, b->strsize);
	ir_st(b->ir, 1, p, CLEAN_AREA, c);
	rtb_set_word(b, CLEAN_AT, at);
}

/* A new register with the two characters at the beginning of the text. */
static int clean_two(struct rtb *b, int at)
{
	int w = ir_reg(b->ir);

	ir_ld(b->ir, 2, w, rtb_at(b, b->priv, at, b->strsize), CLEAN_AREA);
	return w;
}

/* A slash is in front of the component at hand. Jumps to done. */
static void clean_part(struct rtb *b, int done)
{
	struct ir *ir = b->ir;
	int drop = ir_label(ir), keep = ir_label(ir), other = ir_label(ir), dots = ir_label(ir),
	    inner = ir_label(ir), at = rtb_word(b, CLEAN_AT), part = rtb_word(b, CLEAN_PART);
	int len = rtb_copy(b, part), w;

	ir_alu(ir, BPF_SUB, len, at);
	ir_jcci(ir, BPF_JNE, part, b->strsize, inner);
	ir_jcci(ir, BPF_JNE, len, 2, keep);
	ir_jcci(ir, BPF_JNE, clean_two(b, at), '.' << 8 | '.', keep);
	word_set(b, CLEAN_UP, 1);
	word_set(b, CLEAN_AT, b->strsize);
	ir_jmp(ir, keep);
	ir_place(ir, inner);
	ir_jcci(ir, BPF_JEQ, len, 0, done);
	ir_jcci(ir, BPF_JGT, len, 2, other);
	w = clean_two(b, at);
	ir_jcci(ir, BPF_JEQ, len, 2, dots);
	ir_alui(ir, BPF_AND, w, 0xff);
	ir_jcci(ir, BPF_JEQ, w, '.', drop);
	ir_jmp(ir, other);
	ir_place(ir, dots);
	ir_jcci(ir, BPF_JNE, w, '.' << 8 | '.', other);
	word_add(b, CLEAN_UP, 1);
	ir_jmp(ir, drop);
	ir_place(ir, other);
	ir_jcci(ir, BPF_JEQ, rtb_word(b, CLEAN_UP), 0, keep);
	word_add(b, CLEAN_UP, -1);
	ir_place(ir, drop);
	rtb_set_word(b, CLEAN_AT, rtb_word(b, CLEAN_PART));
	ir_jmp(ir, done);
	ir_place(ir, keep);
	clean_push(b, rtb_imm(b, '/'));
	rtb_set_word(b, CLEAN_PART, rtb_word(b, CLEAN_AT));
	ir_jmp(ir, done);
}

/* rt_cleanpath_step(slot, off): the character at an offset of the slot. */
static struct code *build_cleanpath_step(struct rt *rt, const char *name)
{
	struct rtb b;
	int c, done, slash;

	rtb_start(&b, rt, name, 2);
	done = ir_label(b.ir), slash = ir_label(b.ir);
	rtb_slot(&b, ir_arg(b.ir, 0));
	c = byte_at(&b, ir_arg(b.ir, 1));
	ir_jcci(b.ir, BPF_JEQ, c, '/', slash);
	clean_push(&b, c);
	ir_jmp(b.ir, done);
	ir_place(b.ir, slash);
	clean_part(&b, done);
	ir_place(b.ir, done);
	ir_reti(b.ir, 0);
	return rtb_finish(&b, 0);
}

/* Calls a routine for each character from the last to the first; in long strings, for some of
 * them. */
static void clean_characters(struct rtb *b, int slot, int off, int len)
{
	struct ir *ir = b->ir;
	int loop = ir_label(ir), on = ir_label(ir), done = ir_label(ir), i = rtb_imm(b, 0),
	    at = rtb_copy(b, off);

	ir_alu(ir, BPF_ADD, at, len);
	ir_place(ir, loop);
	ir_jcc(ir, BPF_JGT, at, off, on);
	ir_jmp(ir, done);
	ir_place(ir, on);
	ir_alui(ir, BPF_SUB, at, 1);
	ir_call_func(ir, "rt_cleanpath_step", 2, (int[]){slot, at});
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, b->span, loop);
	rtb_more(b);
	ir_place(ir, done);
}

/* rt_cleanpath_part(slot, off, len) */
static struct code *build_cleanpath_part(struct rt *rt, const char *name)
{
	struct rtb b;

	rtb_start(&b, rt, name, 3);
	rtb_slot(&b, ir_arg(b.ir, 0));
	clean_characters(&b, ir_arg(b.ir, 0), ir_arg(b.ir, 1), ir_arg(b.ir, 2));
	ir_reti(b.ir, 0);
	return rtb_finish(&b, -1);
}

static void clean_parts(struct rtb *b, int slot, int off, int len)
{
	struct ir *ir = b->ir;
	int loop = ir_label(ir), more = ir_label(ir), done = ir_label(ir), i = rtb_imm(b, 0),
	    left = rtb_copy(b, len), r;

	ir_place(ir, loop);
	r = ir_call_func(ir, "rt_cleanpath_part", 3, (int[]){slot, off, left});
	ir_jcci(ir, BPF_JEQ, r, RTB_MORE, more);
	ir_jmp(ir, done);
	ir_place(ir, more);
	ir_alui(ir, BPF_SUB, left, RT_PART);
	ir_alui(ir, BPF_ADD, i, RT_PART);
	ir_jcci(ir, BPF_JLE, i, b->strsize, loop);
	ir_jmp(ir, b->fail);
	ir_place(ir, done);
}

static struct code *build_cleanpath(struct rt *rt, const char *name)
{
	struct rtb b;
	int dst, src, off, slot, c, len, area, some, whole, n, from, fits;
	struct ir *ir;

	rtb_start(&b, rt, name, 3);
	ir = b.ir, slot = ir_arg(ir, 0), off = ir_arg(ir, 2), c = ir_reg(ir);
	some = ir_label(ir), whole = ir_label(ir), fits = ir_label(ir);
	rtb_slot(&b, slot);
	dst = rtb_str(&b, ir_arg(ir, 1));
	src = rtb_str(&b, off);
	word_set(&b, CLEAN_AT, b.strsize);
	word_set(&b, CLEAN_PART, b.strsize);
	word_set(&b, CLEAN_UP, 0);
	len = rtb_strlen(&b, src);
	(b.whole ? clean_parts : clean_characters)(&b, slot, off, len);
	ir_ld(ir, 1, c, src, 0);
	ir_jcci(ir, BPF_JNE, c, 0, some);
	rtb_ret_word(&b, dst, TEXT_EMPTY, 0);
	ir_place(ir, some);
	ir_jcci(ir, BPF_JEQ, rtb_word(&b, CLEAN_UP), 0, whole);
	rtb_set_word(&b, CLEAN_AT, rtb_word(&b, CLEAN_PART));
	ir_place(ir, whole);
	from = rtb_word(&b, CLEAN_AT);
	n = rtb_imm(&b, b.strsize);
	ir_alu(ir, BPF_SUB, n, from);
	ir_jcci(ir, BPF_JLT, n, b.strsize, fits);
	ir_movi(ir, n, b.strsize - 1);
	ir_place(ir, fits);
	area = rtb_copy(&b, b.priv);
	ir_alui(ir, BPF_ADD, area, CLEAN_AREA);
	rtb_copy_out(&b, dst, area, from, n, b.strsize);
	rtb_ret_cell(&b, 0);
	return rtb_finish(&b, -1);
}

/*
 * rt_json. The path leads down only, so a few words are all that is needed: the state, how deep a
 * value is that is being passed over, where the path is read on, and where the answer begins.
 */
enum {
	JSON_STATE,
	JSON_DEPTH, /* brackets that are open in a value that is passed over or is the answer */
	JSON_PATH,  /* offset in the slot of what is left of the path */
	JSON_KEY,   /* the same while a key is compared with it; 0: the key is another */
	JSON_INDEX, /* elements of an array still to be passed over */
	JSON_ARRAY, /* whether the innermost thing that the path leads into is an array */
	JSON_BEGIN, /* offset of the answer's first character, */
	JSON_END,   /* and of what follows it */
};

enum {
	S_VALUE,       /* before a value that the path leads to */
	S_ELEMENT,     /* before an element of an array */
	S_KEY,	       /* before a key, or after a value of an object */
	S_IN_KEY,      /* in a key */
	S_KEY_ESCAPE,  /* after a backslash in it */
	S_COLON,       /* after a key */
	S_SKIP,	       /* in a value that is passed over */
	S_SKIP_STRING, /* in a string of it */
	S_SKIP_ESCAPE,
	S_STRING, /* in a string that is the answer */
	S_ESCAPE,
	S_NESTED, /* in an object or an array that is the answer */
	S_NESTED_STRING,
	S_NESTED_ESCAPE,
	S_WORD, /* in a number or a word that is the answer */
};

/* What a step returns. */
enum { JSON_ON, JSON_DONE, JSON_NONE };

/* A step that is being built: its character, and labels for its three ends. */
struct json {
	struct rtb b;
	int c, off;
	int on, done;
};

static void json_go(struct json *j, int state)
{
	word_set(&j->b, JSON_STATE, state);
	ir_jmp(j->b.ir, j->on);
}

static void json_if(struct json *j, char c, int label)
{
	ir_jcci(j->b.ir, BPF_JEQ, j->c, c, label);
}

/* Goes to another state if the character is this one. */
static void json_when(struct json *j, char c, int state)
{
	int other = ir_label(j->b.ir);

	ir_jcci(j->b.ir, BPF_JNE, j->c, c, other);
	json_go(j, state);
	ir_place(j->b.ir, other);
}

static void json_blanks(struct json *j)
{
	json_if(j, ' ', j->on);
	json_if(j, '\t', j->on);
	json_if(j, '\n', j->on);
	json_if(j, '\r', j->on);
}

/* The answer begins (or ends) so many characters after this one. */
static void json_mark(struct json *j, int word, int by)
{
	int r = rtb_copy(&j->b, j->off);

	ir_alui(j->b.ir, BPF_ADD, r, by);
	rtb_set_word(&j->b, word, r);
}

/* A register with the next character of the path that is no bracket and no dot. JSON_PATH is
 * there. */
static int json_path(struct json *j)
{
	struct ir *ir = j->b.ir;
	int at = rtb_word(&j->b, JSON_PATH), c = ir_reg(ir), found = ir_label(ir);

	for (int i = 0; i < 3; i++) {
		int next = ir_label(ir);

		ir_mov(ir, c, byte_at(&j->b, at));
		ir_jcci(ir, BPF_JEQ, c, '.', next);
		ir_jcci(ir, BPF_JEQ, c, '[', next);
		ir_jcci(ir, BPF_JNE, c, ']', found);
		ir_place(ir, next);
		ir_alui(ir, BPF_ADD, at, 1);
	}
	ir_mov(ir, c, byte_at(&j->b, at));
	ir_place(ir, found);
	rtb_set_word(&j->b, JSON_PATH, at);
	return c;
}

/* The number that the path has here becomes JSON_INDEX; fails when there is none, or with more
 * than 6 digits. */
static void json_index(struct json *j)
{
	struct ir *ir = j->b.ir;
	int at = rtb_word(&j->b, JSON_PATH), n = rtb_imm(&j->b, 0), done = ir_label(ir), c;

	for (int i = 0; i < 7; i++) {
		c = byte_at(&j->b, at);
		ir_alui(ir, BPF_SUB, c, '0');
		ir_jcci(ir, BPF_JGT, c, 9, i ? done : j->b.fail);
		ir_alui(ir, BPF_MUL, n, 10);
		ir_alu(ir, BPF_ADD, n, c);
		ir_alui(ir, BPF_ADD, at, 1);
	}
	ir_jmp(ir, j->b.fail);
	ir_place(ir, done);
	rtb_set_word(&j->b, JSON_INDEX, n);
	rtb_set_word(&j->b, JSON_PATH, at);
}

static void json_value(struct json *j)
{
	struct ir *ir = j->b.ir;
	int answer = ir_label(ir), array = ir_label(ir), string = ir_label(ir),
	    nested = ir_label(ir);

	json_blanks(j);
	ir_jcci(ir, BPF_JEQ, json_path(j), 0, answer);
	json_if(j, '[', array);
	ir_jcci(ir, BPF_JNE, j->c, '{', j->b.fail);
	word_set(&j->b, JSON_ARRAY, 0);
	json_go(j, S_KEY);
	ir_place(ir, array);
	json_index(j);
	word_set(&j->b, JSON_ARRAY, 1);
	json_go(j, S_ELEMENT);
	ir_place(ir, answer);
	json_mark(j, JSON_BEGIN, 0);
	json_if(j, '"', string);
	word_set(&j->b, JSON_DEPTH, 1);
	json_if(j, '{', nested);
	json_if(j, '[', nested);
	json_if(j, ']', j->b.fail);
	json_if(j, '}', j->b.fail);
	json_if(j, ',', j->b.fail);
	json_go(j, S_WORD);
	ir_place(ir, nested);
	json_go(j, S_NESTED);
	ir_place(ir, string);
	json_mark(j, JSON_BEGIN, 1);
	json_go(j, S_STRING);
}

/* Decides whether the element is the one, and goes on as if that were the state already: at value
 * or at skip. */
static void json_element(struct json *j, int value, int skip)
{
	struct ir *ir = j->b.ir;
	int other = ir_label(ir);

	ir_jcci(ir, BPF_JNE, rtb_word(&j->b, JSON_INDEX), 0, other);
	word_set(&j->b, JSON_STATE, S_VALUE);
	ir_jmp(ir, value);
	ir_place(ir, other);
	word_add(&j->b, JSON_INDEX, -1);
	word_set(&j->b, JSON_DEPTH, 0);
	word_set(&j->b, JSON_STATE, S_SKIP);
	ir_jmp(ir, skip);
}

static void json_key(struct json *j)
{
	struct ir *ir = j->b.ir;

	json_blanks(j);
	json_if(j, ',', j->on);
	ir_jcci(ir, BPF_JNE, j->c, '"', j->b.fail);
	rtb_set_word(&j->b, JSON_KEY, rtb_word(&j->b, JSON_PATH));
	json_go(j, S_IN_KEY);
}

/* The end of a key: it matches if the path's element ends here, too; parsing of the path then goes
 * on after that. */
static void json_key_end(struct json *j)
{
	struct ir *ir = j->b.ir;
	int same = ir_label(ir), other = ir_label(ir), key = rtb_word(&j->b, JSON_KEY), c;

	ir_jcci(ir, BPF_JEQ, key, 0, other);
	c = byte_at(&j->b, key);
	ir_jcci(ir, BPF_JEQ, c, 0, same);
	ir_jcci(ir, BPF_JEQ, c, '.', same);
	ir_jcci(ir, BPF_JEQ, c, '[', same);
	word_set(&j->b, JSON_KEY, 0);
	ir_jmp(ir, other);
	ir_place(ir, same);
	rtb_set_word(&j->b, JSON_PATH, key);
	ir_place(ir, other);
	json_go(j, S_COLON);
}

/* A character of a key is compared with the path's. */
static void json_in_key(struct json *j, bool escaped)
{
	struct ir *ir = j->b.ir;
	int end = ir_label(ir), differ = ir_label(ir), key, c;

	if (!escaped)
		json_if(j, '"', end);
	word_set(&j->b, JSON_STATE, S_IN_KEY);
	if (!escaped) {
		int plain = ir_label(ir);

		ir_jcci(ir, BPF_JNE, j->c, '\\', plain);
		word_set(&j->b, JSON_STATE, S_KEY_ESCAPE);
		ir_place(ir, plain);
	}
	key = rtb_word(&j->b, JSON_KEY);
	ir_jcci(ir, BPF_JEQ, key, 0, j->on);
	c = byte_at(&j->b, key);
	ir_jcci(ir, BPF_JEQ, c, '.', differ);
	ir_jcci(ir, BPF_JEQ, c, '[', differ);
	ir_jcc(ir, BPF_JNE, c, j->c, differ);
	ir_alui(ir, BPF_ADD, key, 1);
	rtb_set_word(&j->b, JSON_KEY, key);
	ir_jmp(ir, j->on);
	ir_place(ir, differ);
	word_set(&j->b, JSON_KEY, 0);
	ir_jmp(ir, j->on);
	ir_place(ir, end);
	if (!escaped)
		json_key_end(j);
}

static void json_colon(struct json *j)
{
	struct ir *ir = j->b.ir;
	int other = ir_label(ir);

	json_blanks(j);
	ir_jcci(ir, BPF_JNE, j->c, ':', j->b.fail);
	ir_jcci(ir, BPF_JEQ, rtb_word(&j->b, JSON_KEY), 0, other);
	json_go(j, S_VALUE);
	ir_place(ir, other);
	word_set(&j->b, JSON_DEPTH, 0);
	json_go(j, S_SKIP);
}

/* Brackets that open and close; jumps to closed when the last one does, or when one closes that
 * was not opened. */
static void json_brackets(struct json *j, int closed)
{
	struct ir *ir = j->b.ir;
	int open = ir_label(ir), close = ir_label(ir), other = ir_label(ir), depth;

	json_if(j, '{', open);
	json_if(j, '[', open);
	json_if(j, '}', close);
	json_if(j, ']', close);
	ir_jmp(ir, other);
	ir_place(ir, open);
	word_add(&j->b, JSON_DEPTH, 1);
	ir_jmp(ir, j->on);
	ir_place(ir, close);
	depth = rtb_word(&j->b, JSON_DEPTH);
	ir_jcci(ir, BPF_JLE, depth, closed == j->b.fail ? 0 : 1, closed);
	ir_alui(ir, BPF_SUB, depth, 1);
	rtb_set_word(&j->b, JSON_DEPTH, depth);
	ir_jmp(ir, j->on);
	ir_place(ir, other);
}

static void json_skip(struct json *j)
{
	struct ir *ir = j->b.ir;
	int object = ir_label(ir);

	json_when(j, '"', S_SKIP_STRING);
	json_brackets(j, j->b.fail);
	ir_jcci(ir, BPF_JNE, j->c, ',', j->on);
	ir_jcci(ir, BPF_JNE, rtb_word(&j->b, JSON_DEPTH), 0, j->on);
	ir_jcci(ir, BPF_JEQ, rtb_word(&j->b, JSON_ARRAY), 0, object);
	json_go(j, S_ELEMENT);
	ir_place(ir, object);
	json_go(j, S_KEY);
}

/* Ends the answer after this character, or before it. */
static void json_answer(struct json *j, bool with)
{
	json_mark(j, JSON_END, with);
	ir_jmp(j->b.ir, j->done);
}

static void json_nested(struct json *j)
{
	int closed = ir_label(j->b.ir);

	json_when(j, '"', S_NESTED_STRING);
	json_brackets(j, closed);
	ir_jmp(j->b.ir, j->on);
	ir_place(j->b.ir, closed);
	json_answer(j, true);
}

static void json_string(struct json *j, int escape, int end)
{
	json_when(j, '\\', escape);
	json_when(j, '"', end);
	ir_jmp(j->b.ir, j->on);
}

static void json_last_string(struct json *j)
{
	int end = ir_label(j->b.ir);

	json_if(j, '"', end);
	json_when(j, '\\', S_ESCAPE);
	ir_jmp(j->b.ir, j->on);
	ir_place(j->b.ir, end);
	json_answer(j, false);
}

static void json_word(struct json *j)
{
	static const char ends[] = ",]} \t\n\r";
	int end = ir_label(j->b.ir);

	for (int i = 0; i < (int)sizeof(ends); i++)
		json_if(j, ends[i], end);
	ir_jmp(j->b.ir, j->on);
	ir_place(j->b.ir, end);
	json_answer(j, false);
}

/* The states by name, one after the other. */
static void json_states(struct json *j)
{
	struct ir *ir = j->b.ir;
	int state[S_WORD + 1], now = rtb_word(&j->b, JSON_STATE);

	for (int i = 0; i <= S_WORD; i++) {
		state[i] = ir_label(ir);
		ir_jcci(ir, BPF_JEQ, now, i, state[i]);
	}
	ir_jmp(ir, j->b.fail);
	ir_place(ir, state[S_WORD]);
	json_word(j);
	ir_place(ir, state[S_ELEMENT]);
	json_element(j, state[S_VALUE], state[S_SKIP]);
	ir_place(ir, state[S_VALUE]);
	json_value(j);
	ir_place(ir, state[S_KEY]);
	json_key(j);
	ir_place(ir, state[S_IN_KEY]);
	json_in_key(j, false);
	ir_place(ir, state[S_KEY_ESCAPE]);
	json_in_key(j, true);
	ir_place(ir, state[S_COLON]);
	json_colon(j);
	ir_place(ir, state[S_SKIP]);
	json_skip(j);
	ir_place(ir, state[S_SKIP_STRING]);
	json_string(j, S_SKIP_ESCAPE, S_SKIP);
	ir_place(ir, state[S_SKIP_ESCAPE]);
	json_go(j, S_SKIP_STRING);
	ir_place(ir, state[S_STRING]);
	json_last_string(j);
	ir_place(ir, state[S_ESCAPE]);
	json_go(j, S_STRING);
	ir_place(ir, state[S_NESTED]);
	json_nested(j);
	ir_place(ir, state[S_NESTED_STRING]);
	json_string(j, S_NESTED_ESCAPE, S_NESTED);
	ir_place(ir, state[S_NESTED_ESCAPE]);
	json_go(j, S_NESTED_STRING);
}

/* rt_json_step(slot, off): the character at an offset of the slot. A NUL ends words only. */
static struct code *build_json_step(struct rt *rt, const char *name)
{
	struct json j;
	int some;

	rtb_start(&j.b, rt, name, 2);
	j.on = ir_label(j.b.ir), j.done = ir_label(j.b.ir), some = ir_label(j.b.ir);
	rtb_slot(&j.b, ir_arg(j.b.ir, 0));
	j.off = ir_arg(j.b.ir, 1);
	j.c = byte_at(&j.b, j.off);
	ir_jcci(j.b.ir, BPF_JNE, j.c, 0, some);
	ir_jcci(j.b.ir, BPF_JNE, rtb_word(&j.b, JSON_STATE), S_WORD, j.b.fail);
	ir_place(j.b.ir, some);
	json_states(&j);
	ir_place(j.b.ir, j.done);
	ir_reti(j.b.ir, JSON_DONE);
	ir_place(j.b.ir, j.on);
	ir_reti(j.b.ir, JSON_ON);
	return rtb_finish(&j.b, JSON_NONE);
}

/* Of the words that are no numbers there are three. */
static void json_check_word(struct rtb *b, int dst, int none, int ok)
{
	static const char *const words[] = {"true", "false", "null"};
	struct ir *ir = b->ir;
	int w = ir_reg(ir), first = ir_reg(ir);

	ir_jcci(ir, BPF_JNE, rtb_word(b, JSON_STATE), S_WORD, ok);
	ir_ld(ir, 1, first, dst, 0);
	ir_jcci(ir, BPF_JEQ, first, '-', ok);
	ir_alui(ir, BPF_SUB, first, '0');
	ir_jcci(ir, BPF_JLE, first, 9, ok);
	ir_ld(ir, 8, w, dst, 0);
	for (int i = 0; i < 3; i++) {
		int64_t v = 0;

		for (int k = 0; words[i][k]; k++)
			v |= (int64_t)words[i][k] << 8 * k;
		ir_jcci(ir, BPF_JEQ, w, v, ok);
	}
	ir_jmp(ir, none);
}

/* rt_json_part(slot, off): steps from an offset on, until one says that it was the last. */
static struct code *build_json_part(struct rt *rt, const char *name)
{
	struct rtb b;
	int slot, off, r, i, loop, on;
	struct ir *ir;

	rtb_start(&b, rt, name, 2);
	ir = b.ir, slot = ir_arg(ir, 0), off = rtb_copy(&b, ir_arg(ir, 1)), loop = ir_label(ir),
	on = ir_label(ir);
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	r = rtb_copy(&b, ir_call_func(ir, "rt_json_step", 2, (int[]){slot, off}));
	ir_jcci(ir, BPF_JEQ, r, JSON_ON, on);
	ir_ret(ir, r);
	ir_place(ir, on);
	ir_alui(ir, BPF_ADD, off, 1);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, b.span, loop);
	rtb_more(&b);
	return rtb_finish(&b, JSON_NONE);
}

static struct code *build_json(struct rt *rt, const char *name)
{
	struct rtb b;
	int dst, slot, off, src, i, r, loop, out, none, ok, from, n;
	struct ir *ir;

	rtb_start(&b, rt, name, 4);
	ir = b.ir, slot = ir_arg(ir, 0), off = rtb_copy(&b, ir_arg(ir, 2));
	loop = ir_label(ir), out = ir_label(ir), none = ir_label(ir), ok = ir_label(ir);
	rtb_slot(&b, slot);
	dst = rtb_str(&b, ir_arg(ir, 1));
	src = rtb_str(&b, off);
	rtb_str(&b, ir_arg(ir, 3));
	word_set(&b, JSON_STATE, S_VALUE);
	rtb_set_word(&b, JSON_PATH, ir_arg(ir, 3));
	if (b.whole) {
		rtb_put(&b, 0, rtb_parts(&b, "rt_json_part", 2, (int[]){slot, off}, 1 << 1, false));
		ir_jmp(ir, out);
	}
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	r = rtb_copy(&b, ir_call_func(ir, "rt_json_step", 2, (int[]){slot, off}));
	rtb_put(&b, 0, r);
	ir_jcci(ir, BPF_JNE, r, JSON_ON, out);
	ir_alui(ir, BPF_ADD, off, 1);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, b.span, loop);
	ir_jmp(ir, none);
	ir_place(ir, out);
	r = ir_reg(ir);
	ir_ld(ir, 8, r, b.priv, PRIV_CELL);
	ir_jcci(ir, BPF_JNE, r, JSON_DONE, none);
	from = rtb_word(&b, JSON_BEGIN);
	n = rtb_word(&b, JSON_END);
	ir_alu(ir, BPF_SUB, n, from);
	ir_alu(ir, BPF_SUB, from, ir_arg(ir, 2));
	rtb_copy_out(&b, dst, src, from, n, b.strsize);
	json_check_word(&b, dst, none, ok);
	ir_place(ir, ok);
	rtb_ret_cell(&b, 0);
	ir_place(ir, none);
	rtb_ret_word(&b, dst, TEXT_NULL, -1);
	return rtb_finish(&b, -1);
}

const struct rt_def rt_text_defs[] = {
    {"rt_cleanpath", build_cleanpath},
    {"rt_cleanpath_step", build_cleanpath_step},
    {"rt_cleanpath_part", build_cleanpath_part},
    {"rt_json_part", build_json_part},
    {"rt_json", build_json},
    {"rt_json_step", build_json_step},
    {NULL, NULL},
};
