# SPDX-License-Identifier: GPL-2.0-or-later
# A script does not write or run, and through sudo neither does the environment of another user: options that name files and programs, PATH, what
# compilers read of the environment. (dtrace knows sudo by SUDO_UID.)
# @@status: 1
# @@stderr: .
# @@needs: cmd:cpp
mkdir bin
for program in cpp addr2line; do
	printf '#!/bin/sh\necho "$0" >>%s/ran\nexit 1\n' "$PWD" >bin/$program
	chmod +x bin/$program
done
: >ran
trace="$DTRACE -qn BEGIN{exit(0);}"
other="env SUDO_UID=12345"
evil="env PATH=$PWD/bin:$PATH"

ran() { # WHAT COMMAND...: which programs of bin it runs
	what=$1
	shift
	: >ran
	"$@" >/dev/null 2>err || :
	echo "$what: $(sed 's,.*/,,' ran | tr '\n' ' ')"
	sed "s,$PWD/,,g" err | grep -v '^21$' || :
}

echo 'BEGIN { exit(0); }' >d.d
ran 'PATH, our own' $evil $DTRACE -C -qs d.d
ran 'PATH, of another' $evil $other $DTRACE -C -qs d.d
ran 'PATH, of programs that read files of others' $evil $DTRACE -x srclines -qn 'pid$target::seven:entry { ustack(1); exit(0); }' -c 'victim 1'
ran 'cpppath, our own' env DTRACE_OPT_CPPPATH=$PWD/bin/cpp $DTRACE -C -qs d.d
ran 'cpppath, of another' $other DTRACE_OPT_CPPPATH=$PWD/bin/cpp $DTRACE -C -qs d.d
ran 'cpppath, through sudo' env SUDO_UID=0 DTRACE_OPT_CPPPATH=$PWD/bin/cpp $DTRACE -C -qs d.d
ran 'cpppath, of the command line' $other $DTRACE -C -x cpppath=$PWD/bin/cpp -qs d.d
ran 'setenv' $other DTRACE_OPT_SETENV=PATH=$PWD/bin $trace -c 'cpp --version'

# What a compiler would write, and where it would find its parts.
env DEPENDENCIES_OUTPUT=$PWD/deps GCC_EXEC_PREFIX=$PWD/bin/ SUDO_UID=12345 $DTRACE -C -qs d.d >out
[ ! -e deps ]

echo precious >file
printf '#pragma D option dtypes=%s/file\nBEGIN { exit(0); }\n' "$PWD" >write.d
$DTRACE -e -s write.d 2>&1 | sed "s,$PWD/,,"
$other DTRACE_OPT_dtypes=$PWD/file $DTRACE -e -s d.d
$DTRACE -qn 'BEGIN { name = "dtypes"; setopt(name, "'$PWD'/file"); exit(0); }' 2>&1 | grep -c 'Operation illegal\|within a D program'
cat file
