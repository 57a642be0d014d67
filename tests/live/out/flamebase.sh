# SPDX-License-Identifier: GPL-2.0-or-later
# @@status: 0 1
# @@stderr: ^dtrace: failed to set -x flamebase: .*
# -x flamebase: flame graphs that are compared with folded stacks.
script='syscall::lseek:entry /pid == $target/ {
	@["a;b", ustack(1)] = count(); @other[ustack(1)] = count(); }'
fail() { echo "$*"; exit 1; }

# What is compared with has the same frames, in half of its samples, and others.
$DTRACE -x record=rec -qn "$script" -c 'calls 1'
$DTRACE -x replay=rec -x oformat=folded -o folded
key=$(sed -n 's/^\(a:b;[^ ]*\) 1$/\1/p' folded)
[ -n "$key" ] || fail "$(cat folded)"
printf '%s 3\n\n%s;deeper 2\ngone 5\n' "$key" "$key" >before
$DTRACE -x replay=rec -x oformat=svg -x flamebase=before -o graph.svg
grep -q 'class="same"><title>all: 1, 100.00%; before 100.00%</title>' graph.svg || fail all
grep -q 'class="more4"><title>a:b: 1, 100.00%; before 50.00%</title>' graph.svg || fail share
grep -q '1 in all, 10 before; red' graph.svg || fail heading
# No comment of the style sheet is cut in two, which would disable the rule after it.
grep -q '^\.key { fill' graph.svg || fail style
! sed '/<script/q' graph.svg | grep -q '\*/' || fail comment
# The second graph has nothing to be compared with.
[ "$(grep -c 'class="heading"' graph.svg)" = 2 ] || fail graphs
[ "$(grep -c '; before' graph.svg)" = 3 ] || fail "$(grep '; before' graph.svg)"

# A page has the stacks, and without the option none.
$DTRACE -x replay=rec -x oformat=html -x flamebase=before -o page.html
grep -q '^{"type":"flamebase","stacks":"a:b;.* 3\\n\\na:b;.*\\ngone 5\\n"}$' page.html || fail page
$DTRACE -x replay=rec -x oformat=html -o page.html
! grep -q '^{"type":"flamebase"' page.html || fail page without

refused() { # WHY OPTION...
	why=$1
	shift
	! $DTRACE -qn 'BEGIN { exit(0); }' "$@" >out 2>err || fail "$* is accepted"
	[ "$(cat err)" = "dtrace: failed to set -x flamebase: $why" ] || fail "$(cat err)"
}
echo 'no count' >none
printf 'a 1\0b 2\n' >binary
refused 'it changes flame graphs only; add -x oformat=svg or html' -x flamebase=before
refused 'absent: No such file or directory' -x oformat=svg -x flamebase=absent
refused "none: line 1 is no folded stack (names joined by ';', a blank, a count)" \
	-x oformat=svg -x flamebase=none
refused 'binary: not a text' -x oformat=html -x flamebase=binary
