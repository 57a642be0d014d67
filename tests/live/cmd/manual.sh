# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of dtrace.8, d.7 and dtrace-providers.7, which are the literal displays of these
# pages. Commands: those that watch a command of theirs, list or only compile are run, the others
# compiled. D: compiled, where `pid$target` is a program with types that is compiled here. shop.d
# and main.c are those of -G. Displays after a line `.\" output` are no examples. dtrace.8
# describes each option of libdt/opt.def.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: warning: .* fires in all processes
# @@stderr: ^ +(fbt::vfs_read:return /self|[{] @\[|[{] trace|tick-[0-9]+s|syscall::)
# @@stderr: ^dtrace: (description|script) .* (matched [0-9]+ probes?|also matches)
# @@stderr: ^dtrace: (invalid probe specifier|failed to compile script)
# @@stderr: ^dtrace: pid [0-9]+ has exited
set -e
for page in dtrace.8 d.7 dtrace-providers.7; do
	awk -v page="$page" '
	/^\.Bd -literal/ { file = sprintf("example.%s.%02d", page, ++n); on = !output; next }
	/^\.Ed/ { on = 0 }
	{ output = ($0 == ".\\\" output") }
	on { print > file }' "$SRC/cmd/$page"
done
sed -i 's/\\e/\\/g; s/\\&//g' example.*

cat >item.c <<'C'
struct item {
	const char *name;
	int count;
	struct item *next;
} two = {"two", 2}, one = {"one", 1, &two};
__attribute__((noinline)) int work(struct item *i) { return i->count; }
int main(void) { return work(&one) - 1; }
C
gcc -g -O1 -o item item.c

echo 'provider shop { probe query__start(string text, int id); };' >shop.d
cat >main.c <<'C'
#include "shop.h"
int main(void) { SHOP_QUERY_START("select 1", 7); return 0; }
C

mode=
dtrace() {
	$DTRACE $mode "$@"
}

# What this kernel lacks is not the example's fault.
absent() {
	grep -q 'does not let its functions be traced\|cannot be traced\|has no type data' err
}

commands=0 clauses=0 traced=0
for e in example.*; do
	status=0
	case $(head -n 1 "$e") in
	dtrace*)
		case $(cat "$e") in
		*' -c '* | *'-lv'* | *'-l '* | *'dtrace -e'* | *'dtrace -V'*) mode= ;;
		*) mode=-e ;;
		esac
		(. "./$e") >out 2>err </dev/null || status=$?
		[ -n "$mode" ] || [ -s out ] || { echo "$e printed nothing"; exit 1; }
		commands=$((commands + 1))
		;;
	*)
		$DTRACE -e -c ./item -s "$e" >out 2>err </dev/null || status=$?
		clauses=$((clauses + 1))
		;;
	esac
	if [ $status = 0 ]; then
		traced=$((traced + 1))
	elif ! absent; then
		echo "$e: status $status"
		cat "$e" err
		exit 1
	fi
	! grep -q 'error in clause\|[1-9][0-9]* drops\? ' err || { cat "$e" err; exit 1; }
done
[ $commands -ge 14 ] && [ $clauses -ge 10 ] && [ $traced -ge 18 ] ||
	{ echo "only $commands commands, $clauses clauses, $traced of them work here"; exit 1; }

# RUNTIME OPTIONS has all options.
sed -n '/^\.Sh RUNTIME OPTIONS/,/^\.Sh OUTPUT/p' "$SRC/cmd/dtrace.8" |
	grep '^\.\(It\|Cm\) ' | tr -c 'a-z0-9' '\n' |
	sort -u >described
sed -n 's/^OPT([A-Z0-9]*, "\([a-z0-9]*\)",.*/\1/p' "$SRC/libdt/opt.def" | sort >options
[ "$(wc -l <options)" -gt 100 ]
comm -23 options described >missing
[ ! -s missing ] || { echo "dtrace.8 lacks the options:"; cat missing; exit 1; }
