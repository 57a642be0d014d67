# SPDX-License-Identifier: GPL-2.0-or-later
# bufpolicy: ring keeps the newest records, fill the first; both print when tracing ends. END
# prints in any case.
# @@status: 1 4
fail() { echo "$*" >&2; exit 1; }
clause='syscall::lseek:entry /pid == $target/ { printf("%d\n", arg1); }'
values=$(seq -s ' ' 1 2000)
for policy in ring fill; do
	$DTRACE -x bufpolicy=$policy -x bufsize=320 -qn "BEGIN { printf(\"begin\n\"); }
		$clause END { printf(\"end\n\"); }" \
		-c "calls -- $values" >$policy 2>err
	[ ! -s err ] || fail "$policy: $(cat err)"
	echo "$policy: $(tr '\n' ' ' <$policy)"
done
# What is speculated is recorded when it is committed; aggregations are not affected; the exit
# status is exit()'s.
$DTRACE -x bufpolicy=ring -x bufsize=80 -qn 'BEGIN { self->s = speculation(); }
	BEGIN { speculate(self->s); printf("one\n"); } BEGIN { printf("two\n"); }
	BEGIN { printf("three\n"); }
	BEGIN { commit(self->s); } BEGIN { @ = sum(3); exit(4); }' || echo "status $?"
# A record that is larger than the ring.
$DTRACE -x bufpolicy=ring -x bufsize=40 \
	-qn 'BEGIN { printf("%s\n", strjoin(execname, execname)); exit(0); }
	END { printf("end\n"); }' 2>&1
# fill ends tracing, long before the command would end.
$DTRACE -x bufpolicy=fill -x bufsize=1k -qn 'END { printf("kill %d\n", $target); }
	syscall::lseek:entry /pid == $target/ { printf("%d\n", arg1); }' \
	-c 'calls -i -s 60' >out
pid=$(sed -n 's/^kill //p' out)
! kill -0 "$pid" 2>/dev/null || fail "the command goes on"
head -1 out
$DTRACE -x bufpolicy=any -n BEGIN 2>&1 || echo "status $?"
