# SPDX-License-Identifier: GPL-2.0-or-later
# errno of calls that a signal interrupted is what the program gets, not the kernel's own code
# (ERESTARTSYS, ERESTART_RESTARTBLOCK); -x syscallret=raw leaves that in arg1.
# @@needs: cmd:perl
cat >interrupted.pl <<'P'
pipe(my $in, my $out);
$SIG{ALRM} = sub { };
alarm 1;
sysread($in, my $data, 1);
printf("%d\n", $!);
alarm 1;
select(undef, undef, undef, 9);
printf("%d\n", $!);
P
interrupted='syscall::read:return, syscall::*select*:return
	/pid == $target &&'
$DTRACE -qn "$interrupted errno == EINTR/ { @ = count(); }
	$interrupted errno > 500/ { printf(\"%d\n\", errno); }" \
	-c 'perl interrupted.pl'
$DTRACE -qx syscallret=raw -n "$interrupted arg1 < -500/ { @ = count(); }" -c 'perl interrupted.pl'
