# SPDX-License-Identifier: GPL-2.0-or-later
# What exceeds specsize is counted; so is speculation() that finds none free.
# @@status: 1
$DTRACE -qn 'BEGIN { self->s = speculation(); }
	syscall::lseek:entry /pid == $target/ { speculate(self->s == 0 ? 1 : 0);
		printf("%d\n", arg1); }
	END { commit(1); }' -x specsize=128 -c 'calls -- 1 2 3 4 5 6 7 8 9' 2>&1
$DTRACE -x droptags -qn 'BEGIN { speculation(); speculation(); } BEGIN { speculate(1); trace(1); }
	BEGIN { commit(1); } BEGIN { exit(0); }' -x specsize=0 2>&1
$DTRACE -qn 'BEGIN { printf("%d\n", speculation()); exit(0); }' -x nspec=0 2>&1
# As many as there may be.
$DTRACE -qn 'BEGIN { exit(0); } END { speculate(speculation()); printf("fine\n"); }
	END { commit(1); discard(4096); }' -x nspec=4096 2>&1
$DTRACE -x nspec=4097 -n BEGIN 2>&1 || echo "status $?"
