# SPDX-License-Identifier: GPL-2.0-or-later
# SIGUSR1 opens the file of -o anew: no record is lost, and none is in both files. A file that
# cannot be opened is reported.
# @@stderr: ^dtrace: failed to open output file 'dir/out': No such file or directory$
mkdir dir
$DTRACE -qo dir/out -n 'tick-5ms { printf("%d\n", n++); } tick-3s { exit(0); }' 2>err &
until [ -s dir/out ]; do sleep 0.05; done
mv dir/out dir/first
kill -USR1 $!
until [ -s dir/out ]; do sleep 0.05; done
mv dir gone
kill -USR1 $!
until [ -s err ]; do sleep 0.05; done
cat err
wait $!
cat gone/first gone/out | sed '/^$/d' | awk '$1 != n { print "at", n, $1 }
	{ n = $1 + 1 } END { print (n > 400) }'
for file in first out; do [ -s gone/$file ] || echo "$file is empty"; done
# A clause of SIGUSR1 takes the signal.
$DTRACE -qo taken -n 'BEGIN { printf("begun\n"); }
	dtrace:::SIGUSR1 { printf("taken\n"); exit(0); }' &
until [ -s taken ]; do sleep 0.05; done
mv taken moved
kill -USR1 $!
wait $!
[ ! -e taken ] && grep -c taken moved
