/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "demo/dttop/screen.h"

#include <curses.h>
#include <inttypes.h>
#include <langinfo.h>
#include <string.h>
#include <wchar.h>

enum { HEAD = 2, FOOT = 1 };

static bool utf8;

void screen_open(void)
{
	utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	initscr();
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	ESCDELAY = 25;
}

void screen_close(void)
{
	endwin();
}

/* Text in so many columns at most; what is no character of the locale is '?'. Returns the columns
 * that it took. */
static int put(int y, int x, int columns, const char *text)
{
	size_t left = strlen(text);
	mbstate_t state = {0};
	int used = 0;

	while (left) {
		wchar_t one[2] = {0};
		size_t n = mbrtowc(one, text, left, &state);
		int width = n > left ? -1 : wcwidth(*one);

		if (width < 0) {
			*one = '?';
			width = 1;
			n = n > left ? 1 : n;
			memset(&state, 0, sizeof(state));
		}
		if (used + width > columns)
			break;
		mvaddwstr(y, x + used, one);
		used += width;
		text += n;
		left -= n;
	}
	return used;
}

static void put_history(int y, int x, const double *history)
{
	static const wchar_t blocks[] = L" \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
	static const char ascii[] = " .:-=+*#@";
	double most = 0;

	for (int i = 0; i < HISTORY; i++)
		if (history[i] > most)
			most = history[i];
	for (int i = 0; i < HISTORY; i++) {
		int level = most > 0 && history[i] > 0 ? 1 + (int)(7 * history[i] / most) : 0;

		if (utf8)
			mvaddnwstr(y, x + i, &blocks[level], 1);
		else
			mvaddch(y, x + i, ascii[level]);
	}
}

/* The columns beside the key: value, rate, history; less of them where there is no space. */
struct layout {
	int key, value, rate, history; /* widths; 0: none */
};

static struct layout lay_out(const struct table *t)
{
	struct layout l = {.value = COLS >= 60 ? 14 : 12, .history = COLS >= 72 ? HISTORY + 1 : 0};

	l.rate = table_adds(t) && COLS >= 40 ? l.value : 0;
	l.key = COLS - l.value - l.rate - l.history;
	return l;
}

static void put_head(const struct table *t, const struct view *v, const struct layout *l)
{
	static const char *const marks[] = {
	    [ORDER_KEY] = "key", [ORDER_VALUE] = "value", [ORDER_RATE] = "rate"};
	char text[1024];
	int x;

	snprintf(text, sizeof(text), "@%s %s()  by %s%s%s%s  ",
		 t->nnames && strcmp(t->names[t->which], "_") ? t->names[t->which] : "",
		 t->function, marks[t->order], t->reverse ? ", reversed" : "",
		 v->frozen ? "  FROZEN" : "", v->ended ? "  ENDED" : "");
	attron(A_BOLD);
	x = put(0, 0, COLS, *t->function ? text : "no rows yet  ");
	attroff(A_BOLD);
	for (int i = 0; i < t->depth; i++) {
		x += put(0, x, COLS - x, i ? " > " : "in ");
		x += put(0, x, COLS - x, t->chosen[i]);
	}
	attron(A_REVERSE);
	mvhline(1, 0, ' ', COLS);
	snprintf(text, sizeof(text), "KEY %d of %d", t->depth + 1, t->nkeys > 1 ? t->nkeys : 1);
	put(1, 0, l->key, text);
	mvprintw(1, l->key, "%*s", l->value, "VALUE");
	if (l->rate)
		mvprintw(1, l->key + l->value, "%*s", l->rate, "RATE/s");
	if (l->history)
		put(1, COLS - HISTORY, HISTORY, table_adds(t) ? "RATE" : "VALUE");
	attroff(A_REVERSE);
}

static void put_row(const struct group *g, int y, const struct layout *l)
{
	put(y, 0, l->key - 1, g->key);
	mvprintw(y, l->key, "%*" PRId64, l->value, g->value);
	if (l->rate)
		mvprintw(y, l->key + l->value, "%*.1f", l->rate, g->rate);
	if (l->history)
		put_history(y, COLS - HISTORY, g->history);
}

/* In two columns where they fit. */
static void put_help(void)
{
	static const struct {
		const char *keys, *text;
	} lines[] = {
	    {"Up, Down, PgUp, PgDn", "move"},
	    {"<, >", "sort column"},
	    {"r", "reverse"},
	    {"Space, f", "freeze"},
	    {"Enter, Right", "the next key of this row"},
	    {"Left, Bksp", "the key before"},
	    {"Tab", "another aggregation"},
	    {"q", "end"},
	};
	enum { WIDTH = 37, N = sizeof(lines) / sizeof(*lines) };
	int rows = COLS >= 2 * WIDTH + 3 ? N / 2 : N;
	char text[64];

	for (int i = 0; i < N; i++) {
		int x = i / rows * WIDTH;

		snprintf(text, sizeof(text), "%-*s%s", x ? 15 : 22, lines[i].keys, lines[i].text);
		move(HEAD + i % rows, x);
		clrtoeol();
		put(HEAD + i % rows, x, COLS - x, text);
	}
}

static void put_foot(const struct view *v)
{
	char text[512];

	if (v->drops)
		snprintf(text, sizeof(text), "%" PRIu64 " dropped  %s", v->drops, v->status);
	else
		snprintf(text, sizeof(text), "%s", *v->status ? v->status : v->title);
	put(LINES - 1, 0, COLS - 8, text);
	put(LINES - 1, COLS - 7, 7, "? help");
}

/* How many rows there is space for. */
static int page(void)
{
	int n = LINES - HEAD - FOOT;

	return n > 1 ? n : 1;
}

static void keep_in_view(const struct table *t, struct view *v)
{
	if (v->at >= t->ngroups)
		v->at = t->ngroups - 1;
	if (v->at < 0)
		v->at = 0;
	if (v->top > v->at)
		v->top = v->at;
	if (v->top < v->at - page() + 1)
		v->top = v->at - page() + 1;
}

void screen_draw(const struct table *t, struct view *v)
{
	struct layout l = lay_out(t);

	keep_in_view(t, v);
	erase();
	put_head(t, v, &l);
	for (int i = v->top; i < t->ngroups && i < v->top + page(); i++) {
		if (i == v->at)
			attron(A_BOLD | A_UNDERLINE);
		put_row(&t->groups[i], HEAD + i - v->top, &l);
		attroff(A_BOLD | A_UNDERLINE);
	}
	if (v->help)
		put_help();
	put_foot(v);
	refresh();
}

/* Keys -------------------------------------------------------------------- */

static void move_by(const struct table *t, struct view *v, int rows)
{
	v->at += rows;
	keep_in_view(t, v);
}

static void another_order(struct table *t, int step)
{
	int n = table_adds(t) ? ORDER_RATE + 1 : ORDER_RATE;

	t->order = (t->order + n + step) % n;
	table_sort(t);
}

/* Keys that change what is read: another view, with the cursor on its first row. */
static bool change_view(struct table *t, struct view *v, int key)
{
	switch (key) {
	case '\n':
	case KEY_ENTER:
	case KEY_RIGHT:
		table_enter(t, v->at);
		break;
	case KEY_LEFT:
	case KEY_BACKSPACE:
	case '\b':
	case 127:
		table_leave(t);
		break;
	case '\t':
		table_next(t);
		break;
	default:
		return false;
	}
	if (!t->last)
		v->at = v->top = 0;
	return !t->last;
}

static enum command one_key(struct table *t, struct view *v, int key)
{
	switch (key) {
	case 'q':
		return COMMAND_QUIT;
	case KEY_UP:
	case KEY_DOWN:
		move_by(t, v, key == KEY_UP ? -1 : 1);
		break;
	case KEY_PPAGE:
	case KEY_NPAGE:
		move_by(t, v, key == KEY_PPAGE ? -page() : page());
		break;
	case KEY_HOME:
		v->at = 0;
		break;
	case '<':
	case '>':
		another_order(t, key == '<' ? -1 : 1);
		break;
	case 'r':
		t->reverse = !t->reverse;
		table_sort(t);
		break;
	case 'f':
	case ' ':
		v->frozen = !v->frozen;
		break;
	case '?':
		v->help = !v->help;
		break;
	default:
		return change_view(t, v, key) ? COMMAND_READ : COMMAND_DRAW;
	}
	return COMMAND_DRAW;
}

enum command screen_keys(struct table *t, struct view *v)
{
	enum command all = COMMAND_NONE;
	int key;

	while ((key = getch()) != ERR) {
		enum command one = one_key(t, v, key);

		if (one > all)
			all = one;
	}
	return all;
}
