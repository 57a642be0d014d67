# SPDX-License-Identifier: GPL-2.0-or-later
# What reads DWARF has its own files only, and ends with its dtrace; here it waits, for what a file
# of root's names as its other part is a pipe. Of another user's file it opens none.
# @@needs: cmd:gcc cmd:mkfifo
# @@status: 1 signal
d=$(mktemp -d -p /run)
trap 'rm -rf "$d"' EXIT
chmod 755 "$d" # for nobody
cd "$d"
echo 'struct s { int a; }; int shaped(struct s *p) { return p->a; }
	int main(void) { struct s s = {0}; return shaped(&s); }' >one.c
gcc -g -gsplit-dwarf -c one.c
rm one.dwo
mkfifo -m 666 one.dwo
gcc -o split one.o
$DTRACE -x foreigntime=60s -e -n 'pid$target:a.out:shaped:entry { trace(args[0]->a); }' \
	-c ./split >/dev/null 2>&1 &
dtrace=$!
reader='' i=0
while [ -z "$reader" ] && [ $i -lt $((LIMIT * 5)) ]; do
	sleep 0.1
	for p in $(cat /proc/$dtrace/task/*/children); do
		[ "$(readlink /proc/$p/exe)" = "$(readlink /proc/$dtrace/exe)" ] || continue
		# Of those without rights, the one with a socket: what reads symbols has two.
		grep -q '^Uid:.0' /proc/$p/status ||
			[ "$(ls -l /proc/$p/fd | grep -c socket:)" != 1 ] || reader=$p
	done
	i=$((i + 1))
done
ls -l /proc/$reader/fd | sed -n 's/.*-> //; s/socket:.*/socket/
	s/memfd:dt-foreign (deleted)/split/; s/.*\///p; /^socket/p' |
	sort | uniq -c
kill -TERM $dtrace
wait $dtrace || :
i=0
while [ -d /proc/$reader ] && [ $i -lt $((LIMIT * 5)) ]; do
	sleep 0.1
	i=$((i + 1))
done
[ ! -d /proc/$reader ] || echo "the reader is still there"
chown 65534 split
timeout $LIMIT $DTRACE -x foreigntime=10s -e \
	-n 'pid$target:a.out:shaped:entry { trace(args[0]->a); }' \
	-c ./split 2>&1 | grep -o 'the types.*not known' | sed 's/pid[0-9]*:/pid:/'
