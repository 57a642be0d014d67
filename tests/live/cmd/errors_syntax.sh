# SPDX-License-Identifier: GPL-2.0-or-later
# A syntax error in one clause is the only error that a good script then has, whatever the clause
# assigns; and errors of other clauses are reported with it.
# @@status: 1
# @@stderr: .
fail() { echo "$*" >&2; exit 1; }
# Inserts $2 into the first clause of the script $1, whose brace begins a line.
insert() {
	awk -v text="$2" '{ print } /^\{/ && !n++ { print text }' "$1" >bad.d
}
n=0
set -- 'x = ;' 'trace(1' 'if (1) }' 'trace("x);' '{' '@'
for tool in "$SRC"/tools/*.d; do
	text=$1
	insert "$tool" "$text"
	if $DTRACE -x defaultargs -qes "$tool" >out 2>err; then	# not all of this kernel, of $target
		! $DTRACE -x defaultargs -qes bad.d 2>err || fail "$tool with $text compiles"
		grep -v '^dtrace: warning' err | grep -c '^dtrace: ' >count || :
		[ "$(cat count)" = 1 ] || fail "$tool with $text: $(cat err)"
		n=$((n + 1))
	fi
	shift
	set -- "$@" "$text"
done
[ "$n" -ge 30 ] || fail "only $n scripts"
cat >many.d <<'D'
BEGIN { x = ; }
tick-1s { trace(x); nosuch(); }
END { y = 08; }
D
! $DTRACE -es many.d 2>err || fail "it compiles"
cat >want <<'END'
dtrace: failed to compile script many.d: line 1: syntax error near ";"
dtrace: failed to compile script many.d: line 3: invalid digit in octal constant 08
dtrace: failed to compile script many.d: line 2: undefined function name: nosuch
END
cmp want err || fail "$(cat err)"
# On a terminal each with its line, also where a line has several.
echo 'BEGIN { x = ; } END { nosuch(); }' >line.d
NO_COLOR=1 script -qec "$DTRACE -es line.d" /dev/null | tr -d '\r' >shown
cat >want <<'END'
dtrace: failed to compile script line.d: line 1: syntax error near ";"
    1 | BEGIN { x = ; } END { nosuch(); }
      |             ^
dtrace: failed to compile script line.d: line 1: undefined function name: nosuch
    1 | BEGIN { x = ; } END { nosuch(); }
      |                       ^~~~~~~~
END
cmp want shown || fail "$(cat shown)"
