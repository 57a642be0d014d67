# SPDX-License-Identifier: GPL-2.0-or-later
# watch: a program's variables, by what changes them: functions, threads, the kernel; what is not
# the process's or not its program's any more. aarch64 has values of before the access, and reports
# none by the kernel.
# @@needs: watchpoint cmd:nm cmd:setarch cmd:unshare
d() {
	$DTRACE -qn "$@" | grep .
}
echo '--- who'
d 'watch$target:a.out:watched_count:write {
	printf("%d %s %s %s %s", arg1, probefunc, probename, execname,
	    tid == pid ? "main" : "thread"); usym(arg3); printf("\n"); }
	watch$target:a.out:watched_count:write /args->address != arg0 || args->value != arg1 ||
		arg2/ { printf("wrong\n"); }' -c 'watched functions' |
	sed 's/ \([a-z0-9]*`\)/ \1/; s/  *watched`\([a-z]*\).*/ \1/'
echo '--- stack, registers'
d 'watch$target::watched_count:write /tid != pid/ { ustack(2);
	printf("%d %d\n", uregs[R_PC] == arg3, regs[R_PC] == arg3); }' -c 'watched functions' |
	sed 's/^ *//; s/+.*//'
echo '--- sizes' # of what is written twice, on aarch64 the second value
d 'watch$target:a.out:watched_byte:write, watch$target:a.out:watched_half:write,
	watch$target:a.out:watched_long:write,
	watch$target:a.out:watched_count:write /arg1/ {
		printf("%s %x\n", probefunc, args->value); }' \
	-c 'watched sizes' | sort -u # emulated CPUs tell some twice
d 'watch$target:a.out:watched_long+2:write-2, watch$target:a.out:watched_count+0x1:write-1,
	watch$target:a.out:watched_point+4:write-4,
	watch$target:a.out:watched_point:write /arg1/ {
		printf("%s %s %x\n", probefunc, probename, arg1); }' -c 'watched sizes' | sort -u
echo '--- beside it'
d 'watch$target:a.out:watched_point+4:write-4 { ufunc(arg3); printf("\n"); }' -c 'watched near' |
	tr -d ' ' | sort -u
echo '--- reads'
for what in access write; do
	d 'watch$target:a.out:watched_count:'$what' { n++; }
		END { printf("'$what' %d\n", n); }' -c 'watched reads'
done
echo '--- the kernel'
d 'watch$target:a.out:watched_point+8:write-8 { last = arg1; there += arg2 != 0 && !arg3; n++; }
	END { printf("%x %d\n", last, n && n == there); }' -c 'watched kernel'
echo '--- children'
d 'watch$target:a.out:watched_count:write { printf("%d %d\n", pid == $target, arg1); }' \
	-c 'watched fork'
echo '--- children, followed'
d 'watch$target:a.out:watched_count:write { printf("%d %d\n", pid == $target, arg1); }' -x follow \
	-c 'watched fork'
echo '--- another program in its place, at the same addresses, too'
d 'watch$target:a.out:watched_count:write { printf("%d\n", arg1); }' -c 'watched exec'
setarch -R $DTRACE -qn 'watch$target:a.out:watched_count:write { printf("%d\n", arg1); }' \
	-c 'watched exec' | grep .
echo '--- addresses'
at=$(nm "$BUILD/tests/fixture/watched" | awk '$3 == "watched_count" { print $1 }')
d 'watch$target:watched:0x'"$at"':write-4 { printf("%s %d\n", probemod, arg1); }' -c 'watched fork'
mkfifo gate
# waits SCRIPT: of a process that has begun to wait and goes on when all probes are there.
waits() {
	until grep -q waiting "/proc/$p/comm"; do sleep 0.1; done
	d "$1"' tick-100ms { if (!told++) system("printf x >gate"); }' -w -p $p
	wait $p
}
echo '--- a running process, its threads of before and after'
watched wait <gate & p=$!
exec 3>gate
waits 'watch$target:a.out:watched_count:write {
	printf("%d %s\n", arg1, tid == pid ? "main" : "thread"); }'
echo '--- by its address in the process'
watched wait <gate & p=$!
exec 3>gate
until grep -q waiting "/proc/$p/comm"; do sleep 0.1; done
base=$(awk '/watched$/ { sub("-.*", ""); print; exit }' /proc/$p/maps)
at=$(printf 0x%x $((0x$base + 0x$at)))
waits "watch$p::$at:write-4 { printf(\"%d\n\", arg0 == $at ? arg1 : -1); }"
echo '--- in a pid namespace of its own'
unshare -p -f --mount-proc $DTRACE -qn 'watch$target:a.out:watched_count:write {
	printf("%d\n", arg1); }' -c 'watched fork' | grep .
