# @@needs: cmd:losetup cmd:mkfs.ext4
# vminfo: pages that come from a disk, and go there.
. "$FIXTURE/filesystem"
cd m
$DTRACE -qn 'vminfo:::maj_fault /pid == $target/ { n++; }
	vminfo:::pgin, vminfo:::pgpgin, vminfo:::fspgin, vminfo:::pgout, vminfo:::pgpgout,
		vminfo:::fspgout /pid == $target/
	{ p[probename] += arg0; }
	END {
		printf("maj_fault %d\n", n > 0 && n <= 256);
		printf("in %d %d\n", p["fspgin"] >= 256 &&
		    p["fspgin"] <= p["pgpgin"], p["pgin"] > 0 && p["pgin"] <= p["pgpgin"]);
		printf("out %d %d\n", p["fspgout"] >= 256 &&
		    p["fspgout"] <= p["pgpgout"], p["pgout"] > 0 && p["pgout"] <= p["pgpgout"]);
	}' -c 'doings major' | grep .
