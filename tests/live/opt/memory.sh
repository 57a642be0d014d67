# SPDX-License-Identifier: GPL-2.0-or-later
# What a session keeps of its compilation while it traces: trees, attempts of the analysis and the
# intermediate code of programs are freed. Of a script with translators, beside one that only needs
# the kernel's types, which kernels before 6.16 do not map.
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
cat >many.d <<'D'
syscall::read:entry, syscall::write:entry
/pid == $target/
{
	self->fd = arg0;
}

syscall::read:return, syscall::write:return
/self->fd/
{
	@sizes[fds[self->fd].fi_pathname, curlwpsinfo->pr_state, curpsinfo->pr_ppid] =
	    quantize(arg0);
	@names[curpsinfo->pr_psargs, stringof(curthread->comm) == "sh"] = count();
	printf("%s %s %d\n", basename(fds[self->fd].fi_name), execname, curpsinfo->pr_nlwp);
	self->fd = 0;
}

io:::start, io:::done
/pid == $target/
{
	@bytes[args[1]->dev_statname, args[0]->b_flags] = sum(args[0]->b_bcount);
	@files[args[2]->fi_pathname] = count();
}
D
# kilobytes ARGUMENT...: of the memory that no other process has
kilobytes() {
	$DTRACE -q -n 'BEGIN { printf("%d\n", $pid); this->pid = curthread->pid; }' "$@" \
		-c 'sleep 60' >pid &
	dtrace=$!
	while [ ! -s pid ]; do
		kill -0 $dtrace || exit
		sleep 0.1
	done
	read -r pid <pid
	awk '$1 == "Anonymous:" { print $2 }' "/proc/$pid/smaps_rollup"
	kill "$pid"
	wait
	: >pid
}
least=$(kilobytes) && more=$(kilobytes -s many.d) || exit 1
echo "$least kB, with the script $more kB"
[ $((more - least)) -lt 3000 ]
