/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/usage.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/escape.h"

/* At most 24 lines of 80 columns. */
static const char text[] =
    "Usage: dtrace [options] -n 'probe /predicate/ { actions }' [arguments]\n"
    "       dtrace [options] -s script.d [arguments]\n"
    "       dtrace -l [-v] [-n probe | '*word*']\n"
    "\n"
    "  dtrace -n 'syscall:::entry /pid == $target/ { @[probefunc] = count(); }' -c ls\n"
    "  dtrace -n 'syscall::openat:entry { trace(execname); trace(copyinstr(arg1)); }'\n"
    "\n"
    " -n -f -m -P -i  probes by name, function, module, provider, id\n"
    " -s FILE  run a script (-: standard input)    -l  list probes (-v: arguments)\n"
    " -c CMD   trace a command; $target is its pid -e  compile only\n"
    " -p PID   trace until that process ends       -S  print the compiled code\n"
    " -W NAME  as -p, for the next process NAME    -v  report stability\n"
    " -o FILE  append output to a file             -V  version (-Vv: features)\n"
    " -x NAME[=VALUE]  set an option (-x help)     -w  permit destructive actions\n"
    " -b SIZE  size of the trace buffer            -Z  permit unmatched descriptions\n"
    " -L DIR   directory of D libraries            -q  no output but the program's\n"
    " -C  run the C preprocessor                   -F  indent by entry and return\n"
    " -D NAME[=TEXT] -U NAME -I DIR -H -X a|c|s|t  options of the preprocessor\n"
    " -h -G    write the header or object of a script's static probes\n"
    " -A  trace on without dtrace (-x name=NAME)   -a [NAME]  print what it recorded\n"
    " -32 -64  data model (only this machine's)    --version --help\n";

/* Each option alone, for completion. */
static const struct option_help {
	const char *option, *help;
} options[] = {
    {"--help", "print this help"},
    {"--version", "print the version"},
    {"-32", "data model of programs (only the machine's own)"},
    {"-64", "data model of programs (only the machine's own)"},
    {"-a", "read a detached session"},
    {"-A", "begin a detached session, which goes on without dtrace"},
    {"-b", "size of the trace buffer"},
    {"-c", "run a command and trace until it ends; $target is its pid"},
    {"-C", "run the C preprocessor over programs"},
    {"-D", "define a symbol for the preprocessor"},
    {"-e", "compile, then exit without tracing"},
    {"-f", "enable or list probes of the functions that match"},
    {"-F", "indent output by function entry and return"},
    {"-G", "write the object that programs with static probes are linked with"},
    {"-h", "write the C header of the providers that a script declares"},
    {"-H", "print the names of included files"},
    {"-i", "enable or list the probes with these ids"},
    {"-I", "add a directory to the preprocessor's search path"},
    {"-l", "list probes"},
    {"-L", "add a directory to the D library's search path"},
    {"-m", "enable or list probes of the modules that match"},
    {"-n", "enable or list probes with names that match"},
    {"-o", "append output to a file"},
    {"-p", "trace until this process ends; $target is its pid"},
    {"-P", "enable or list probes of the providers that match"},
    {"-q", "print only what the program prints"},
    {"-s", "enable or list probes by a script; - is the standard input"},
    {"-S", "print the code that the compiler made"},
    {"-U", "undefine a symbol of the preprocessor"},
    {"-v", "report the stability of programs, or list probes with their arguments"},
    {"-V", "print the version; with -v, what this kernel can do"},
    {"-w", "permit destructive actions"},
    {"-W", "wait for a process of this name to start, then as -p"},
    {"-x", "set an option (-x help lists them)"},
    {"-X", "conformance of the preprocessor"},
    {"-Z", "permit descriptions that match no probes"},
};

void usage(FILE *out)
{
	fputs(text, out);
}

void usage_options(FILE *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		fprintf(out, "%s\t%s\n", options[i].option, options[i].help);
}

const char *usage_other(const char *name)
{
	static const struct {
		const char *theirs, *hint;
	} others[] = {
	    {"--unsafe", "; use -w"},	 {"--dry-run", "; use -e"},
	    {"--info", "; use -Vv"},	 {"--include", "; use -C and #include"},
	    {"--verbose", "; use -v"},	 {"--list", "; use -l"},
	    {"--script", "; use -s"},	 {"--output", "; use -o"},
	    {"-B", "; use -x linebuf"},	 {"-d", "; use -x dump=typed"},
	    {"--usage", "; use --help"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(others[i].theirs, name))
			return others[i].hint;
	return "";
}

static bool is_file(const char *name)
{
	struct stat st;

	return !stat(name, &st) && S_ISREG(st.st_mode);
}

char *usage_file(const char *description)
{
	struct strbuf sb = {0};

	if (!is_file(description) || access(description, R_OK))
		return NULL;
	escape_printf(&sb, "%s is a file; a script is run with -s: dtrace -s %s", description,
		      description);
	return sb.s;
}

char *usage_hint(const char *word)
{
	size_t len = word ? strlen(word) : 0;

	if (!word)
		return xstrdup("");
	if (is_file(word) || (len > 2 && !strcmp(word + len - 2, ".d") && !strpbrk(word, ":{")))
		return xasprintf("; a script is run with -s: dtrace -s %s", word);
	if (!strpbrk(word, ":{"))
		return xasprintf("; '%s' belongs to no option", word);
	return xasprintf("; a program is the argument of -n: dtrace -n '%s'",
			 strlen(word) > 60 ? "..." : word);
}
