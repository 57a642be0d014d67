/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats errors and warnings by -x errfmt: in DTrace's traditional form, as compilers do, or as
 * JSON, an object for each. Messages without a place in a program (options, refusals of the kernel)
 * have the traditional form with errfmt=gcc, too.
 */
#include <string.h>

#include "libdt/base/escape.h"
#include "libdt/compile.h"
#include "libdt/consumer/consume.h"
#include "libdt/message.h"
#include "libdt/report.h"
#include "libdt/session.h"

enum form { FORM_DTRACE, FORM_GCC, FORM_JSON };

/* One error or warning. */
struct message {
	bool error;
	const char *tag;   /* NULL: it has none */
	const char *where; /* "in predicate", or NULL */
	const char *text;
	struct loc loc;
};

static enum form form_of(const struct dt *dt)
{
	const char *word = opt_text(&dt->opts, OPT_ERRFMT);

	return !strcmp(word, "gcc") ? FORM_GCC : !strcmp(word, "json") ? FORM_JSON : FORM_DTRACE;
}

/* Texts of -n have no name, and the script "-" only one of ours. */
static const char *file_of(struct loc loc, int *len)
{
	const char *file = loc_file(loc, len);

	if (!file)
		file = loc.src->kind == SOURCE_LIBRARY ? loc.src->name : "<command line>";
	else if (file == loc.src->name && !strcmp(file, "-"))
		file = "<stdin>";
	else
		return file;
	*len = strlen(file);
	return file;
}

static void put_gcc(const struct dt *dt, const struct message *t, struct strbuf *out)
{
	const char *file, *kind = t->error ? "error" : "warning";
	int line, column, len;

	if (t->loc.src) {
		file = file_of(t->loc, &len);
		loc_pos(t->loc, &line, &column);
		escape_printf(out, "%.*s:%d:%d: %s: ", len, file, line, column, kind);
		sb_puts(out, t->text);
	} else {
		sb_printf(out, "dtrace: %s: %s", kind, t->text);
	}
	if (t->tag)
		sb_printf(out, " [%s]", t->tag);
	if (t->loc.src && dt->messages->carets)
		diag_caret(t->loc, dt->messages->colour, dt->messages->columns, out);
	sb_putc(out, '\n');
}

static void put_json(const struct message *t, struct strbuf *out)
{
	struct writer w = {.form = &writer_json};
	int line, column, len;
	const char *file;

	writer_line(&w, "diagnostic");
	writer_string(&w, "severity", t->error ? "error" : "warning");
	if (t->tag)
		writer_string(&w, "tag", t->tag);
	writer_string(&w, "message", t->text);
	if (t->where)
		writer_string(&w, "where", t->where);
	if (t->loc.src) {
		file = file_of(t->loc, &len);
		loc_pos(t->loc, &line, &column);
		writer_text(&w, "file", file, len);
		writer_int(&w, "line", line);
		writer_int(&w, "column", column);
		writer_int(&w, "length", t->loc.len);
	}
	writer_line_end(&w);
	sb_add(out, w.sb.s, w.sb.len);
	writer_free(&w);
}

static void put(const struct dt *dt, const struct message *t, struct strbuf *out)
{
	if (form_of(dt) == FORM_JSON)
		put_json(t, out);
	else
		put_gcc(dt, t, out);
}

/* Errors ------------------------------------------------------------------ */

int report_error(struct dt *dt, const char *fmt, ...)
{
	struct dt_message m = {.severity = DT_MSG_ERROR, .result = true};
	va_list ap;

	dt->messages->error.len = dt->messages->error_lines.len = 0;
	va_start(ap, fmt);
	escape_vprintf(&dt->messages->error, fmt, ap);
	va_end(ap);
	m.text = sb_str(&dt->messages->error);
	message_receive(dt, m, (struct loc){0});
	return -1;
}

void report_caught(struct dt *dt)
{
	struct message t = {true, tag_name(dt->diag.tag), dt->diag.where, sb_str(&dt->diag.msg),
			    dt->diag.loc};
	struct strbuf text = {0};

	if (!dt->input->errors++)
		dt->messages->error.len = dt->messages->error_lines.len = 0;
	else
		sb_putc(&dt->messages->error, '\n');
	diag_format(&dt->diag, &text, opt_on(&dt->opts, OPT_ERRTAGS), dt->messages->carets);
	if (t.loc.src && dt->messages->carets)
		diag_caret(t.loc, dt->messages->colour, dt->messages->columns, &text);
	sb_puts(&dt->messages->error, sb_str(&text));
	if (form_of(dt) == FORM_DTRACE)
		sb_printf(&dt->messages->error_lines, "dtrace: %s\n", sb_str(&text));
	else
		put(dt, &t, &dt->messages->error_lines);
	sb_free(&text);
	message_receive(dt,
			(struct dt_message){
			    .severity = DT_MSG_ERROR, .result = true, .tag = t.tag, .text = t.text},
			t.loc);
}

const char *dt_error(const struct dt *dt)
{
	return dt ? sb_str(&dt->messages->error) : "";
}

const char *dt_error_lines(struct dt *dt)
{
	struct message t = {.error = true, .text = dt_error(dt)};

	if (!dt)
		return "";
	if (dt->messages->error_lines.len)
		return dt->messages->error_lines.s;
	if (form_of(dt) == FORM_JSON)
		put_json(&t, &dt->messages->error_lines);
	else
		sb_printf(&dt->messages->error_lines, "dtrace: %s\n", sb_str(&dt->messages->error));
	return dt->messages->error_lines.s;
}

/* Warnings ---------------------------------------------------------------- */

/* The traditional form; before: what each line begins with. */
static void put_plain(const struct message *t, const char *before, struct strbuf *out)
{
	int line, column, len;
	const char *file = loc_file(t->loc, &len);

	loc_pos(t->loc, &line, &column);
	sb_puts(out, before);
	if (file)
		escape_printf(out, "%.*s:%d: ", len, file, line);
	sb_puts(out, t->text);
}

void report_warnings(struct dt *dt)
{
	const struct diag *d = &dt->diag;
	struct strbuf line = {0};

	for (; dt->messages->warnings_sent < d->warnings.n; dt->messages->warnings_sent++) {
		const struct warning *w = &d->warnings.v[dt->messages->warnings_sent];
		struct message t = {.text = d->warned.s + w->at, .loc = w->loc};

		message_receive(
		    dt,
		    (struct dt_message){.severity = DT_MSG_WARNING, .result = true, .text = t.text},
		    w->loc);
		line.len = 0;
		put_plain(&t, "", &line);
		message_line(dt, DT_MSG_WARNING, sb_str(&line));
	}
	sb_free(&line);
}

/* before: NULL: in the form that is wanted. */
static const char *take_warnings(struct dt *dt, const char *before)
{
	struct diag *d;

	if (!dt)
		return "";
	d = &dt->diag;
	report_warnings(dt);
	dt->messages->warnings.len = 0;
	for (int i = 0; i < d->warnings.n; i++) {
		struct message t = {.text = d->warned.s + d->warnings.v[i].at,
				    .loc = d->warnings.v[i].loc};

		if (!before && form_of(dt) != FORM_DTRACE) {
			put(dt, &t, &dt->messages->warnings);
		} else {
			put_plain(&t,
				  before ? before : "dtrace: warning: ", &dt->messages->warnings);
			sb_putc(&dt->messages->warnings, '\n');
		}
	}
	d->warnings.n = dt->messages->warnings_sent = 0;
	d->warned.len = 0;
	return dt->messages->warnings.len ? dt->messages->warnings.s : "";
}

const char *dt_warnings(struct dt *dt)
{
	return take_warnings(dt, "");
}

const char *dt_warning_lines(struct dt *dt)
{
	return take_warnings(dt, NULL);
}
