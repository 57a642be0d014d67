# @@needs: cmd:losetup cmd:mkfs.ext4
# vminfo: faults and pages of workloads that know how many.
$DTRACE -qn 'vminfo:::as_fault /pid == $target/ { n += arg0; }
	vminfo:::as_fault /pid == $target && arg1 && *args[1] == 0/ { bad++; }
	END { printf("as_fault %d, no count %d\n", n >= 500 && n < 1500, bad); }' -c 'doings faults' | grep .
$DTRACE -qn 'vminfo:::prot_fault /pid == $target/ { n += arg0; } END { printf("prot_fault %d\n", n >= 50 && n < 500); }' -c 'doings cow' | grep .
# Pages that come from a disk, and go there.
. "$FIXTURE/filesystem"
cd m
$DTRACE -qn 'vminfo:::maj_fault /pid == $target/ { n++; }
	vminfo:::pgin, vminfo:::pgpgin, vminfo:::fspgin, vminfo:::pgout, vminfo:::pgpgout, vminfo:::fspgout /pid == $target/
	{ p[probename] += arg0; }
	END {
		printf("maj_fault %d\n", n > 0 && n <= 256);
		printf("in %d %d\n", p["fspgin"] >= 256 && p["fspgin"] <= p["pgpgin"], p["pgin"] > 0 && p["pgin"] <= p["pgpgin"]);
		printf("out %d %d\n", p["fspgout"] >= 256 && p["fspgout"] <= p["pgpgout"], p["pgout"] > 0 && p["pgout"] <= p["pgpgout"]);
	}' -c 'doings major' | grep .
cd ..
