# SPDX-License-Identifier: GPL-2.0-or-later
# Memory that a process has never looked at: where programs may sleep its pages are brought in,
# text and bytes, also across two of them; otherwise, and where there is no memory, it is a fault
# and never a wrong value.
# @@needs: sleepable_uprobe
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
{
	printf 'the text'
	head -c 4085 /dev/zero
	printf 'in two'
	head -c 12285 /dev/zero
} >file
cat >t.d <<'D'
pid$target:a.out:see:entry { printf("%s: %s\n", copyinstr(arg0), copyinstr(arg1)); }
pid$target:a.out:see:entry { this->p = (char *)copyin(arg1, 8); printf("bytes %c%c %d\n",
    this->p[0] ? this->p[0] : '-', this->p[1] ? this->p[1] : '-', this->p[7]); }
pid$target:a.out:see:entry { this->c = *(userland char *)arg1; printf("char %d\n", this->c); }
D
tell() {
	sed 's/0x[0-9a-f]\{3,\}/ADDRESS/; s/for probe ID [0-9]*/for probe/; s/pid[0-9]*/pidN/'
}
$DTRACE -q -x faultlimit=0 -s t.d -c 'pages file' 2>err
tell <err
echo '== not brought in'
$DTRACE -q -x faultlimit=0 -x nofeat=sleepable_uprobe -s t.d -c 'pages file' 2>err
tell <err
echo '== aggregations'
$DTRACE -qn 'pid$target:a.out:see:entry { @[copyinstr(arg1)] = count(); }' -c 'pages file' 2>err
tell <err
echo '== not one is lost while generations change'
$DTRACE -x aggrate=1ms -qn 'pid$target:a.out:see:entry { @[copyinstr(arg1)] = count();
	@all = count(); @q = quantize(1); }
pid$target:a.out:see:entry { @twice[copyinstr(arg1), *(userland char *)arg1] = sum(2); }' \
	-c 'pages file 5000'
echo '== beside probes on locks'
$DTRACE -x aggrate=1ms \
	-qn 'pid$target:a.out:see:entry { @[copyinstr(arg1)] = count(); @all = count(); }
sdt:lock::contention_begin /pid == $target/ { locks++; }' -c 'pages file 2000'
