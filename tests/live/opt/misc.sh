# SPDX-License-Identifier: GPL-2.0-or-later
# setenv and unsetenv for -c, the size of the buffer, and options that are accepted without effect.
# @@status: 1
GONE=1 KEPT=2 $DTRACE -x setenv=NEW=3=4 -x unsetenv=GONE -x setenv=EMPTY= -qn 'BEGIN { x = 1; }' \
	-c 'sh -c "echo ${GONE-gone} $KEPT $NEW ${EMPTY-unset}."' | sed '/^$/d'
for opt in bufresize=auto quietresize lockmem=64m lockmem=unlimited cleanrate=10hz \
	statusrate=1s preallocate=4m pgmax=2 core \
	debugassert=x noresolve lazyload ldpath=/usr/bin/ld linkmode=static \
	linktype=elf linknommap strip temporal; do
	$DTRACE -x $opt -e -n 'BEGIN { x = 1; }' 2>&1 || echo "$opt: status $?"
done
for opt in bufresize=some lockmem=much linktype=dof linkmode=x pgmax=x; do
	$DTRACE -x $opt -e -n 'BEGIN { x = 1; }' 2>&1 && echo "$opt: accepted"
done
$DTRACE -x bufresize=manual -x bufsize=1t -qn 'BEGIN { exit(0); }' 2>&1 || echo "status $?"
$DTRACE -x bufsize=1t -x quietresize -qn 'BEGIN { printf("fine\n"); exit(0); }' 2>&1
DTRACE_OPT_bufpolicy=fill $DTRACE -x bufsize=1k -qn 'BEGIN { printf("fine\n"); exit(0); }' 2>&1
