# SPDX-License-Identifier: GPL-2.0-or-later
# A script does not write or run, and through sudo neither does the environment of another user:
# options that name files and programs, PATH, what compilers read of the environment. (dtrace knows
# sudo by SUDO_UID.)
# @@status: 1
# @@stderr: ^dtrace: DTRACE_OPT_[a-z]+ is ignored with these rights
# @@stderr: ^dtrace: failed to compile script d\.d: Preprocessor failed
# @@needs: cmd:cpp
unset SUDO_UID # where sudo runs the tests
mkdir bin
for program in cpp addr2line; do
	printf '#!/bin/sh\necho "$0" >>%s/ran\nexit 1\n' "$PWD" >bin/$program
	chmod +x bin/$program
done
: >ran
evil="env PATH=$PWD/bin:$PATH"

ran() { # WHAT COMMAND...: which programs of bin it runs, and what dtrace reports
	what=$1
	shift
	: >ran
	"$@" >/dev/null 2>err || :
	echo "$what: $(sed 's,.*/,,' ran | tr '\n' ' ')"
	sed "s,$PWD/,,g" err | grep -v '^21$' || :
}

# Everything at once: PATH, options, and what compilers read of the environment.
echo precious >file
echo 'BEGIN { exit(0); }' >d.d
ran 'of another' $evil SUDO_UID=12345 DTRACE_OPT_CPPPATH=$PWD/bin/cpp \
	DTRACE_OPT_dtypes=$PWD/file DTRACE_OPT_SETENV=PATH=$PWD/bin \
	DEPENDENCIES_OUTPUT=$PWD/deps GCC_EXEC_PREFIX=$PWD/bin/ $DTRACE -C -qs d.d \
	-c 'cpp --version'
[ ! -e deps ]
cat file
ran 'our own PATH' $evil $DTRACE -C -qs d.d
ran 'our own option' env DTRACE_OPT_CPPPATH=$PWD/bin/cpp $DTRACE -C -qs d.d
ran 'our own option, through sudo' env SUDO_UID=0 DTRACE_OPT_CPPPATH=$PWD/bin/cpp $DTRACE -C -qs d.d
ran 'what reads files of others' $evil $DTRACE -x srclines \
	-qn 'pid$target::seven:entry { ustack(1); exit(0); }' -c 'victim 1'

# Scripts: before they run, and while they do.
printf '#pragma D option dtypes=%s/file\nBEGIN { exit(0); }\n' "$PWD" >write.d
$DTRACE -e -s write.d 2>&1 | sed "s,$PWD/,,"
$DTRACE -qn 'BEGIN { name = "dtypes"; setopt(name, "'$PWD'/file"); exit(0); }' 2>&1 |
	grep -c 'Operation illegal\|within a D program'
cat file
