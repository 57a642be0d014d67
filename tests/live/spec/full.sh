# SPDX-License-Identifier: GPL-2.0-or-later
# commit() and discard() that find the buffer full end their speculation all the same, and its
# identifier is free again. All clauses of one firing of BEGIN run before dtrace reads anything:
# the buffer is full for the last ones, even for the smallest record.
# @@stderr: ^dtrace: [0-9]+ failed speculations \(no speculative buffer
# @@drops: ^dtrace: [0-9]+ drops on CPU [0-9]+
many() {
	for i in $(seq "$1"); do
		echo "BEGIN $2"
	done
}
for end in commit discard; do
	{
		echo 'string text; int s, t, n;'
		echo 'BEGIN { text = ""; }'
		printf '%s\n' 'BEGIN { s = speculation(); speculate(s);
			printf("'$end' of %d\n", s); }'
		many 8 '{ trace(text); }'
		many 160 '{ }'
		many 2 "{ $end(s); t = speculation(); }"
		echo 'BEGIN { speculate(s); trace("after its end"); }'
		echo 'tick-10ms /(s = speculation()) || n++ > 500/ { exit(0); }'
		printf '%s\n' 'END { printf("then %d, and %d before\n", s, t); }'
	} >$end.d
	$DTRACE -q -x bufsize=4k -x strsize=1024 -x nspec=1 -s $end.d 2>err
	grep -q '[0-9] drops* on CPU' err || { echo "nothing was dropped" >&2; exit 1; }
done
