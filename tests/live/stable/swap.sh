# @@needs: cmd:losetup cmd:mkswap file:/sys/module/9pnet_virtio/refcnt
# vminfo and sysinfo, in a guest only: memory that is swapped out, reclaimed and comes back;
# modules.
. "$FIXTURE/swap"
$DTRACE -Zqn 'vminfo:::pgswapout, vminfo:::pgswapin, vminfo:::anonpgout, vminfo:::anonpgin,
	vminfo:::scan, vminfo:::anonfree, vminfo:::dfree
	/pid == $target/ { n[probename] += arg0; }
	END {
		printf("out %d %d\n", n["pgswapout"] > 1000, n["anonpgout"] == n["pgswapout"]);
		printf("in %d %d\n", n["pgswapin"] > 100, n["anonpgin"] == n["pgswapin"]);
		printf("reclaimed %d %d %d\n", n["scan"] > 1000, n["anonfree"] > 1000,
		    n["dfree"] >= n["anonfree"]);
	}' -c 'sh limited' | grep .
$DTRACE -qn 'sysinfo:::modload, sysinfo:::modunload /ppid == $target/ { n[probename] += arg0; }
	END { printf("modules %d %d\n", n["modload"], n["modunload"]); }' \
	-c 'sh -c "modprobe dummy; rmmod dummy; :"' | grep .
