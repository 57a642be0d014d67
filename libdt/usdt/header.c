/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dtrace -h. The header stands alone: its macros put a nop at the probe's place and describe it in
 * a note as <sys/sdt.h> of SystemTap does (section .note.stapsdt, version 3), so that all tracers
 * that read those notes find the probes:
 *
 *	pc of the nop, address of _.stapsdt.base (shows how far a prelinker has moved all),
 *	address of the semaphore,
 *	"provider\0" "probe\0" "arguments\0"	an argument is SIZE@OPERAND, the size negative
 *						when it is signed
 *
 * The semaphore is a counter in section .probes, defined by the object of dtrace -G; tracers
 * raise it while they trace.
 *
 * The header includes <unistd.h>, as that of other DTrace implementations does: programs that were
 * written with those rely on it.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/lang/sema_parts.h"
#include "libdt/usdt/usdt.h"

static const char prelude[] =
    "#if !defined __x86_64__ && !defined __aarch64__ && !defined __riscv\n"
    "#error \"static probes are for x86-64, aarch64 and riscv64\"\n"
    "#endif\n"
    "\n"
    "#ifndef DTRACE_USDT_PROBE\n"
    "#define DTRACE_USDT_PROBE(provider, name, semaphore, args) \\\n"
    "\t\"990: nop\\n\" \\\n"
    "\t\".pushsection .note.stapsdt,\\\"?\\\",\\\"note\\\"\\n\" \\\n"
    "\t\".balign 4\\n\" \\\n"
    "\t\".4byte 992f-991f, 994f-993f, 3\\n\" \\\n"
    "\t\"991: .asciz \\\"stapsdt\\\"\\n\" \\\n"
    "\t\"992: .balign 4\\n\" \\\n"
    "\t\"993: .8byte 990b\\n\" \\\n"
    "\t\".8byte _.stapsdt.base\\n\" \\\n"
    "\t\".8byte \" semaphore \"\\n\" \\\n"
    "\t\".asciz \\\"\" provider \"\\\"\\n\" \\\n"
    "\t\".asciz \\\"\" name \"\\\"\\n\" \\\n"
    "\t\".asciz \\\"\" args \"\\\"\\n\" \\\n"
    "\t\"994: .balign 4\\n\" \\\n"
    "\t\".popsection\\n\" \\\n"
    "\t\".ifndef _.stapsdt.base\\n\" \\\n"
    "\t\".pushsection .stapsdt.base,\\\"aG\\\",\\\"progbits\\\",.stapsdt.base,comdat\\n\" \\\n"
    "\t\".weak _.stapsdt.base\\n\" \\\n"
    "\t\".hidden _.stapsdt.base\\n\" \\\n"
    "\t\"_.stapsdt.base: .space 1\\n\" \\\n"
    "\t\".size _.stapsdt.base, 1\\n\" \\\n"
    "\t\".popsection\\n\" \\\n"
    "\t\".endif\\n\"\n"
    "#endif\n";

/* "query__start" of "shop" is SHOP_QUERY_START. */
static void macro_name(struct strbuf *sb, const struct provdecl *prov, const struct probedecl *p)
{
	const char *parts[] = {prov->name, p->word};

	for (int i = 0; i < 2; i++) {
		if (i)
			sb_putc(sb, '_');
		for (const char *c = parts[i]; *c; c++)
			if (c == parts[i] || c[0] != '_' || c[-1] != '_')
				sb_putc(sb, toupper((unsigned char)*c));
	}
}

int usdt_operand_size(struct sema *s, const struct type *t)
{
	const struct type *base = type_base(t);
	bool ptr = type_is_string(t) || base->kind == T_PTR || base->kind == T_ARRAY ||
		   base->kind == T_FUNC;
	uint64_t size = ptr ? 8 : type_size(s->types, t);

	if ((!ptr && !type_is_int(t)) || (size != 1 && size != 2 && size != 4 && size != 8))
		return 0;
	return !ptr && type_is_signed(t) ? -(int)size : (int)size;
}

/* One argument: what is in the note, and the cast that makes it so. False: no such thing can be
 * passed. */
static bool argument(struct sema *s, const struct type *t, int i, struct strbuf *note,
		     struct strbuf *operands)
{
	static const char *const words[2][9] = {
	    {[1] = "unsigned char",
	     [2] = "unsigned short",
	     [4] = "unsigned int",
	     [8] = "unsigned long"},
	    {[1] = "signed char", [2] = "short", [4] = "int", [8] = "long"},
	};
	int size = usdt_operand_size(s, t);

	if (!size)
		return false;
	sb_printf(note, "%s%d@%%%d", i ? " " : "", size, i);
	sb_printf(operands, "%s\"nor\" ((%s) (arg%d))", i ? ", " : "", words[size < 0][abs(size)],
		  i);
	return true;
}

static int probe(struct sema *s, const struct provdecl *prov, const struct probedecl *p, FILE *out,
		 struct strbuf *why)
{
	struct strbuf macro = {0}, params = {0}, note = {0}, operands = {0};
	int rc = 0;

	macro_name(&macro, prov, p);
	for (int i = 0; i < p->nargs && !rc; i++) {
		sb_printf(&params, "%sarg%d", i ? ", " : "", i);
		if (!argument(s, p->args[i].type, i, &note, &operands)) {
			sb_printf(why, "probe %s: an argument of type %s cannot be passed", p->name,
				  sema_type_text(s, p->args[i].type));
			rc = -1;
		}
	}
	if (!rc) {
		fprintf(out,
			"\nextern unsigned short %s_%s_semaphore __attribute__ ((unused, section "
			"(\".probes\"), visibility (\"hidden\")));\n",
			prov->name, p->word);
		fprintf(out,
			"#define %s_ENABLED() ((int) __builtin_expect (*(volatile unsigned short "
			"*) &%s_%s_semaphore, 0))\n",
			macro.s, prov->name, p->word);
		fprintf(out, "#define %s(%s) \\\n", macro.s, sb_str(&params));
		fprintf(out,
			"\t__asm__ __volatile__ (DTRACE_USDT_PROBE (\"%s\", \"%s\", "
			"\"%s_%s_semaphore\", \"%s\") :: %s)\n",
			prov->name, p->word, prov->name, p->word, sb_str(&note), sb_str(&operands));
	}
	sb_free(&macro), sb_free(&params), sb_free(&note), sb_free(&operands);
	return rc;
}

int usdt_header(struct sema *s, struct provdecl *const *provs, int n, FILE *out, struct strbuf *why)
{
	int rc = 0;

	fputs("/* Generated by dtrace -h: probes of ", out);
	for (int i = 0; i < n; i++)
		fprintf(out, "%s%s", i ? ", " : "", provs[i]->name);
	fputs(". */\n", out);
	for (int i = 0; i < n; i++)
		fprintf(out, "#ifndef DTRACE_USDT_%s_H\n#define DTRACE_USDT_%s_H\n", provs[i]->name,
			provs[i]->name);
	fprintf(out, "\n#include <unistd.h>\n\n%s\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
		prelude);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < provs[i]->probes.n && !rc; j++)
			rc = probe(s, provs[i], provs[i]->probes.v[j], out, why);
	fputs("\n#ifdef __cplusplus\n}\n#endif\n\n", out);
	for (int i = 0; i < n; i++)
		fputs("#endif\n", out);
	return rc;
}
