/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/usage.h"

static const char text[] =
	"Usage: dtrace [-32|-64] [-CeFHlqSvVwZ] [-b bufsz] [-c cmd] [-D name[=def]]\n"
	"\t[-I path] [-o output] [-p pid] [-s script] [-U name]\n"
	"\t[-x opt[=val]] [-X a|c|s|t]\n"
	"\n"
	"\t[-P provider [[ predicate ] action ]]\n"
	"\t[-m [ provider: ] module [[ predicate ] action ]]\n"
	"\t[-f [[ provider: ] module: ] func [[ predicate ] action ]]\n"
	"\t[-n [[[ provider: ] module: ] func: ] name [[ predicate ] action ]]\n"
	"\t[-i probe-id[-last-id] [[ predicate ] action ]] [ args ... ]\n"
	"\n"
	"\tpredicate -> '/' D-expression '/'\n"
	"\t   action -> '{' D-statements '}'\n"
	"\n"
	"\t-32 -64  data model of programs (only the machine's own)\n"
	"\t-b  size of the trace buffer\n"
	"\t-c  run a command and trace until it ends; $target is its pid\n"
	"\t-C  run the C preprocessor over programs\n"
	"\t-D  define a symbol for the preprocessor\n"
	"\t-e  compile, then exit without tracing\n"
	"\t-f  enable or list probes of the functions that match\n"
	"\t-F  indent output by function entry and return\n"
	"\t-H  print the names of included files\n"
	"\t-i  enable or list the probes with these ids\n"
	"\t-I  add a directory to the preprocessor's search path\n"
	"\t-l  list probes\n"
	"\t-m  enable or list probes of the modules that match\n"
	"\t-n  enable or list probes with names that match\n"
	"\t-o  append output to a file\n"
	"\t-p  trace until this process ends; $target is its pid\n"
	"\t-P  enable or list probes of the providers that match\n"
	"\t-q  print only what the program prints\n"
	"\t-s  enable or list probes by a script; - is the standard input\n"
	"\t-S  print the code that the compiler made\n"
	"\t-U  undefine a symbol of the preprocessor\n"
	"\t-v  report the stability of programs, or list probes with their arguments\n"
	"\t-V  print the version; with -v, what this kernel can do\n"
	"\t-w  permit destructive actions\n"
	"\t-x  set an option (-x help lists them)\n"
	"\t-X  conformance of the preprocessor\n"
	"\t-Z  permit descriptions that match no probes\n";

void usage(FILE *out)
{
	fputs(text, out);
}
