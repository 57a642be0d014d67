/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of conversions, and what each one takes and prints. Lengths are checked and then
 * forgotten: a value has a size of its own. */
#include "libdt/consumer/fmt.h"
#include "libdt/symbols/usym.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "libdt/symbols/ksym.h"
#include "libdt/consumer/print_value.h"
#include "libdt/record/answers.h"

/* ---- which types */

static bool fits_length(const struct fmt_piece *p, const struct type *t)
{
	switch (p->length) {
	case LEN_HH:
		return t->size == 1;
	case LEN_H:
		return t->size == 2;
	case LEN_L: /* of 4 bytes with -32 */
		return t->size == 8 || (t->name && strstr(t->name, "long"));
	case LEN_LL:
		return t->size == 8;
	default:
		return true;
	}
}

static bool check_int(const struct fmt_piece *p, const struct type *t)
{
	return type_is_int(t) && fits_length(p, t);
}

static bool check_char(const struct fmt_piece *p, const struct type *t)
{
	(void)p;
	return type_is_int(t) && type_base(type_narrow(t))->size <= 4;
}

static bool is_int_array(const struct type *t, uint64_t size)
{
	const struct type *of;

	if (t->kind != T_ARRAY)
		return false;
	of = type_base(t->ref);
	return of->kind == T_INT && of->size == size;
}

static bool check_string(const struct fmt_piece *p, const struct type *t)
{
	if (p->length)
		return is_int_array(t, 4);
	if (t->kind == T_ENUM || t->kind == T_SYMADDR)
		return p->conv->letter == 's';
	return t->kind == T_STRING || is_int_array(t, 1) || type_is_charptr(t);
}

static bool check_host(const struct fmt_piece *p, const struct type *t)
{
	return check_string(p, t) && t->kind != T_ENUM && t->kind != T_SYMADDR;
}

static bool check_addr(const struct fmt_piece *p, const struct type *t)
{
	(void)p;
	return type_is_int(t) || t->kind == T_PTR || t->kind == T_SYMADDR || t->kind == T_USYMADDR;
}

static bool check_stack(const struct fmt_piece *p, const struct type *t)
{
	(void)p;
	return t->kind == T_STACK;
}

static bool check_float(const struct fmt_piece *p, const struct type *t)
{
	return t->kind == T_FLOAT && (p->length != LEN_LDBL || t->size == sizeof(long double));
}

static bool check_time(const struct fmt_piece *p, const struct type *t)
{
	(void)p;
	return type_is_int(t) && t->size == 8;
}

static bool check_any(const struct fmt_piece *p, const struct type *t)
{
	(void)p;
	return t->kind != T_VOID && t->kind != T_DYN && t->kind != T_AGG && t->kind != T_FUNC;
}

/* ---- how they print */

/* Text in a field: the precision is of the value, the width of what is printed. */
static void put_field(FILE *out, const struct fmt_piece *p, const char *s, size_t len,
		      enum escape how)
{
	size_t width = p->width > 0 ? p->width : 0, pad;
	struct strbuf sb = {0};

	if (p->prec > 0 && (size_t)p->prec < len) /* as it always was: 0 is none */
		len = p->prec;
	if (escape_clean(s, len, how) < len) {
		escape_add(&sb, s, len, how);
		s = sb.s;
		len = sb.len;
	}
	pad = width > len ? width - len : 0;
	for (size_t i = 0; i < pad && !p->left; i++)
		putc(' ', out);
	fwrite(s, 1, len, out);
	for (size_t i = 0; i < pad && p->left; i++)
		putc(' ', out);
	sb_free(&sb);
}

/* Of memory. */
static void put_text(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v,
		     const char *s, size_t len)
{
	put_field(ctx->out, p, s, len, value_escape(ctx, v));
}

/* Of anything else that is not the script's own. */
static void put_name(struct fmt_ctx *ctx, const struct fmt_piece *p, const char *s, size_t len)
{
	put_field(ctx->out, p, s, len, ESCAPE_NAME);
}

/* "%-+ #0'*.*" and what follows, for the C library. */
static void c_spec(const struct fmt_piece *p, const char *tail, char spec[24])
{
	char *s = spec;

	*s++ = '%';
	if (p->left)
		*s++ = '-';
	if (p->plus)
		*s++ = '+';
	if (p->space)
		*s++ = ' ';
	if (p->alt)
		*s++ = '#';
	if (p->zero)
		*s++ = '0';
	if (p->group)
		*s++ = '\'';
	strcpy(s, "*.*");
	strcat(s, tail);
}

void fmt_print_int(const struct fmt_piece *p, FILE *out, int64_t v, bool is_signed, int bytes)
{
	char letter = p->conv ? p->conv->letter : 'd', tail[4] = "lld", spec[24];
	int width = p->width > 0 ? p->width : 0;

	if (letter == 'd' || letter == 'i')
		tail[2] = is_signed ? 'd' : 'u';
	else
		tail[2] = letter == 'p' ? 'x' : letter;
	if (tail[2] != 'd' && bytes < 8)
		v &= (1LL << (bytes * 8)) - 1;
	c_spec(p, tail, spec);
	fprintf(out, spec, width, p->prec, (long long)v);
}

static void print_int(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	fmt_print_int(p, ctx->out, value_int(v), type_is_signed(v->type), MIN(v->size, 8u));
}

/* The bytes of a character in UTF-8; one that cannot be is U+FFFD. */
static void add_utf8(struct strbuf *out, uint32_t c)
{
	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = 0xfffd;
	if (c < 0x80) {
		sb_putc(out, c);
		return;
	}
	if (c < 0x800) {
		sb_putc(out, 0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			sb_putc(out, 0xe0 | c >> 12);
		} else {
			sb_putc(out, 0xf0 | c >> 18);
			sb_putc(out, 0x80 | (c >> 12 & 0x3f));
		}
		sb_putc(out, 0x80 | (c >> 6 & 0x3f));
	}
	sb_putc(out, 0x80 | (c & 0x3f));
}

static void print_char(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	struct fmt_piece whole = *p;
	struct strbuf sb = {0};

	if (p->length)
		add_utf8(&sb, value_int(v));
	else if (p->conv->letter == 'C')
		text_escape(&sb, &(char){value_int(v)}, 1);
	else
		sb_putc(&sb, value_int(v));
	whole.prec = -1;
	put_text(ctx, &whole, v, sb.s, sb.len);
	sb_free(&sb);
}

static void add_wide(struct strbuf *out, const struct value *v)
{
	uint32_t c;

	for (uint32_t i = 0; i + sizeof(c) <= v->size; i += sizeof(c)) {
		memcpy(&c, (const char *)v->data + i, sizeof(c));
		if (!c)
			break;
		add_utf8(out, c);
	}
}

static void add_text(struct strbuf *out, const struct fmt_piece *p, const struct value *v)
{
	const char *name;

	if (p->length) {
		add_wide(out, v);
	} else if (type_base(v->type)->kind == T_ENUM) {
		name = value_enumerator(v);
		if (name)
			sb_puts(out, name);
		else
			sb_printf(out, "%lld", (long long)value_int(v));
	} else {
		sb_add(out, v->data, value_strlen(v));
	}
}

/* An array of char shows the NUL that ends it, as it always has: "-bash\0". */
static void print_escaped(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	struct strbuf raw = {0}, sb = {0};

	add_text(&raw, p, v);
	text_escape(&sb, sb_str(&raw), raw.len);
	if (!p->length && type_base(v->type)->kind == T_ARRAY && raw.len < v->size)
		sb_puts(&sb, "\\0");
	put_name(ctx, p, sb_str(&sb), sb.len);
	sb_free(&raw);
	sb_free(&sb);
}

static void print_symbol(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	struct strbuf sb = {0};

	/* A plain address says no process: it is taken to be the command's, or that of -p. */
	if (p->conv->letter == 'A' && type_base(v->type)->kind != T_SYMADDR &&
	    type_base(v->type)->kind != T_USYMADDR)
		value_user_address(ctx, ctx->target, value_int(v), &sb);
	else
		value_symbol(ctx, v, &sb);
	put_name(ctx, p, sb_str(&sb), sb.len);
	sb_free(&sb);
}

static void print_string(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	enum type_kind kind = type_base(v->type)->kind;
	struct strbuf sb = {0};

	if (kind == T_SYMADDR) {
		print_symbol(ctx, p, v);
	} else if (kind != T_ENUM && !p->length) {
		put_text(ctx, p, v, v->data, value_strlen(v));
	} else {
		add_text(&sb, p, v);
		if (kind == T_ENUM)
			put_name(ctx, p, sb_str(&sb), sb.len);
		else
			put_text(ctx, p, v, sb_str(&sb), sb.len);
		sb_free(&sb);
	}
}

/* A field's width is the indentation of the frames; without one they are not indented. */
static void print_stack(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	value_stack(ctx, v, MAX(p->width, 0));
}

static void print_float(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	char tail[3] = {'L', p->conv->letter, 0}, spec[24];

	c_spec(p, tail, spec);
	fprintf(ctx->out, spec, p->width > 0 ? p->width : 0, p->prec, value_float(v));
}

/* Nanoseconds since the epoch. */
static void put_time(struct fmt_ctx *ctx, const struct fmt_piece *p, int64_t ns)
{
	const char *ours = ctx->timefmt ? ctx->timefmt : "%Y %b %e %H:%M:%S";
	const char *how = p->conv->letter == 'Y' ? ours : "%a, %d %b %Y %H:%M:%S %Z";
	time_t sec = ns / 1000000000 - (ns % 1000000000 < 0);
	struct tm tm;
	char text[1024];
	size_t len = 0;

	if (localtime_r(&sec, &tm))
		len = strftime(text, sizeof(text), how, &tm);
	put_field(ctx->out, p, text, len, ESCAPE_NONE);
}

static void print_time(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	put_time(ctx, p, value_int(v));
}

void fmt_print_number(struct fmt_ctx *ctx, const struct fmt_piece *p, int64_t v)
{
	if (p->conv->print == print_time)
		put_time(ctx, p, v);
	else
		fmt_print_int(p, ctx->out, v, true, 8);
}

/* "192.0.2.1" or "2001:db8::1" to an address; 0 when it is none. */
static socklen_t read_address(const char *text, struct sockaddr_storage *ss)
{
	struct sockaddr_in *in = (struct sockaddr_in *)ss;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)ss;

	memset(ss, 0, sizeof(*ss));
	if (inet_pton(AF_INET, text, &in->sin_addr) == 1) {
		in->sin_family = AF_INET;
		return sizeof(*in);
	}
	if (inet_pton(AF_INET6, text, &in6->sin6_addr) == 1) {
		in6->sin6_family = AF_INET6;
		return sizeof(*in6);
	}
	return 0;
}

/* The name of a host by its address; false: it has none. */
static bool find_host(struct fmt_ctx *ctx, const char *text, char host[NI_MAXHOST])
{
	struct sockaddr_storage ss;
	struct answer a = {0};
	socklen_t len;

	if (answers_replay(ctx->answers)) {
		a = answers_get(ctx->answers, ASK_HOST, 0, 0, text);
		snprintf(host, NI_MAXHOST, "%s", a.known ? a.first : "");
		return a.known;
	}
	len = read_address(text, &ss);
	if (len &&
	    !getnameinfo((struct sockaddr *)&ss, len, host, NI_MAXHOST, NULL, 0, NI_NAMEREQD))
		a = (struct answer){.known = true, .first = host};
	answers_note(ctx->answers, ASK_HOST, 0, 0, text, a);
	return a.known;
}

static void print_host(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	struct strbuf sb = {0};
	char host[NI_MAXHOST];

	add_text(&sb, p, v);
	if (find_host(ctx, sb_str(&sb), host))
		put_name(ctx, p, host, strlen(host));
	else
		put_text(ctx, p, v, sb_str(&sb), sb.len);
	sb_free(&sb);
}

static void print_port(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	uint16_t port = value_int(v);
	struct servent ent, *found = NULL;
	struct answer a = {0};
	char buf[1024];

	if (answers_replay(ctx->answers)) {
		a = answers_get(ctx->answers, ASK_PORT, 0, port, NULL);
	} else {
		if (!getservbyport_r(htons(port), NULL, &ent, buf, sizeof(buf), &found) && found)
			a = (struct answer){.known = true, .first = found->s_name};
		answers_note(ctx->answers, ASK_PORT, 0, port, NULL, a);
	}
	if (a.known)
		put_name(ctx, p, a.first, strlen(a.first));
	else
		put_name(ctx, p, buf, snprintf(buf, sizeof(buf), "%u", port));
}

static void print_bytes(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	const uint8_t *data = v->data;
	struct strbuf sb = {0};

	for (uint32_t i = 0; i < v->size; i++)
		sb_printf(&sb, i ? " %02x" : "%02x", data[i]);
	put_name(ctx, p, sb_str(&sb), sb.len);
	sb_free(&sb);
}

/* Whatever it is, as a word. */
static void print_any(struct fmt_ctx *ctx, const struct fmt_piece *p, const struct value *v)
{
	const char *name = type_base(v->type)->kind == T_ENUM ? value_enumerator(v) : NULL;
	struct strbuf sb = {0};

	if (name)
		escape_add(&sb, name, strlen(name), ESCAPE_NAME);
	else if (type_base(v->type)->kind == T_PTR)
		sb_printf(&sb, "0x%llx", (unsigned long long)value_int(v));
	else
		value_word(ctx, v, &sb);
	put_field(ctx->out, p, sb_str(&sb), sb.len, ESCAPE_NONE);
	sb_free(&sb);
}

static const char takes_int[] = "char, short, int, long, or long long";
static const char takes_string[] = "char [] or string (or use stringof)";
static const char takes_float[] = "float, double, or long double";
static const char takes_addr[] = "pointer or integer";

#define INT_LENGTHS (LEN_HH | LEN_H | LEN_L | LEN_LL)
#define WIDE_LENGTHS (LEN_L | LEN_W)

static const struct conv convs[] = {
    {'d', INT_LENGTHS, true, takes_int, check_int, print_int},
    {'i', INT_LENGTHS, true, takes_int, check_int, print_int},
    {'u', INT_LENGTHS, true, takes_int, check_int, print_int},
    {'o', INT_LENGTHS, true, takes_int, check_int, print_int},
    {'x', INT_LENGTHS, true, takes_int, check_int, print_int},
    {'X', INT_LENGTHS, true, takes_int, check_int, print_int},
    {'p', 0, false, takes_addr, check_addr, print_int},
    {'a', 0, false, takes_addr, check_addr, print_symbol},
    {'A', 0, false, takes_addr, check_addr, print_symbol},
    {'c', WIDE_LENGTHS, false, "char, short, or int", check_char, print_char},
    {'C', WIDE_LENGTHS, false, "char, short, or int", check_char, print_char},
    {'s', WIDE_LENGTHS, false, takes_string, check_string, print_string},
    {'S', WIDE_LENGTHS, false, takes_string, check_string, print_escaped},
    {'k', 0, false, "stack", check_stack, print_stack},
    {'e', LEN_LDBL, false, takes_float, check_float, print_float},
    {'E', LEN_LDBL, false, takes_float, check_float, print_float},
    {'f', LEN_LDBL, false, takes_float, check_float, print_float},
    {'g', LEN_LDBL, false, takes_float, check_float, print_float},
    {'G', LEN_LDBL, false, takes_float, check_float, print_float},
    {'T', 0, true, "int64_t", check_time, print_time},
    {'Y', 0, true, "int64_t", check_time, print_time},
    {'I', 0, false, takes_string, check_host, print_host},
    {'P', 0, false, "uint16_t", check_int, print_port},
    {'r', 0, false, "any value", check_any, print_bytes},
    {'v', 0, false, "any value", check_any, print_any},
};

const struct conv *conv_find(char letter)
{
	for (size_t i = 0; i < ARRAY_SIZE(convs); i++)
		if (convs[i].letter == letter)
			return &convs[i];
	return NULL;
}

/* ---- a whole format */

/* What an argument says may be another user's. */
static int clamp_star(const struct value *v)
{
	int64_t n = value_int(v);

	return n > FMT_STAR_MAX ? FMT_STAR_MAX : n < -FMT_STAR_MAX ? -FMT_STAR_MAX : (int)n;
}

/* Stars' values into the copy of a piece; as in C a negative width is "-", a negative precision
 * none. */
static void resolve_stars(struct fmt_piece *p, const struct value *values)
{
	if (p->star_width) {
		p->width = clamp_star(&values[p->width_arg]);
		if (p->width < 0) {
			p->left = true;
			p->width = -p->width;
		}
	}
	if (p->star_prec)
		p->prec = MAX(clamp_star(&values[p->prec_arg]), -1);
}

/* stdio does not keep the errno of a failed write, and drops the unwritten data: each call reports
 * the error again. */
int fmt_error(FILE *out)
{
	if (!ferror(out))
		return 0;
	errno = 0;
	fputc('\n', out);
	return fflush(out) && errno ? -errno : -EIO;
}

int fmt_print(const struct fmt *f, struct fmt_ctx *ctx, const struct value *values, int nvalues,
	      int (*agg)(void *arg, int n, const struct fmt_piece *piece), void *arg)
{
	int rc = 0;

	if (nvalues < f->nargs)
		return -EINVAL;
	for (int i = 0; i < f->npieces && !rc; i++) {
		struct fmt_piece p = f->pieces[i];

		if (!p.conv) {
			fwrite(p.text, 1, p.len, ctx->out);
			continue;
		}
		resolve_stars(&p, values);
		if (!p.is_agg)
			p.conv->print(ctx, &p, &values[p.arg]);
		else if (agg)
			rc = agg(arg, p.arg, &p);
	}
	return rc ? rc : fmt_error(ctx->out);
}
