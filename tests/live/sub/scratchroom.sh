# SPDX-License-Identifier: GPL-2.0-or-later
# Sizes that only the firing knows: scratch has 64k for them (less on very many CPUs), or what
# scratchsize says.
awk 'BEGIN { for (i = 0; i < 6000; i++) printf "%09d\n", i; print "end" }' >file
cat >t.d <<'D'
syscall::write:entry
/pid == $target && arg0 == 1 && arg2 > 1/
{
	this->p = (char *)copyin(arg1, arg2);
	this->q = (char *)alloca(arg2 / 16);
	bcopy(this->p + arg2 - 4, this->q, 3);
	this->q[3] = '\0';
	printf("%d %c %s %s\n", arg2, this->p[arg2 - 2], stringof(this->p + arg2 - 10),
	    stringof(this->q));
}
D
for n in 100 4090 20000 60004; do
	$DTRACE -q -s t.d -c "dd if=file of=/dev/null bs=$n count=1 status=none" | grep .
done
# the sum of both is more
$DTRACE -q -s t.d -c "dd if=/dev/zero of=/dev/null bs=64000 count=1 status=none" 2>&1 |
	sed -n 's/.*\(out of .*\) at .*/\1/p'
$DTRACE -q -x scratchsize=4k -s t.d -c "dd if=file of=/dev/null bs=4090 count=1 status=none" 2>&1 |
	sed -n 's/.*\(out of .*\) at .*/\1/p'
$DTRACE -q -x scratchsize=200k -s t.d \
	-c "dd if=/dev/zero of=/dev/null bs=128k count=1 status=none" | tr '\0' 0
