# mib: counters that only the kernel's statistics have, in a network namespace of its own: they
# fire each second, with the same counts.
# @@needs: cmd:ip
. "$FIXTURE/netns"
sed -n 's/^NETCOUNT(\(.*\), "\(.*\):", "\(.*\)")$/\2 \3 \1/p' "$SRC/libdt/abi/netstat.def" >names
counts() {
	ip netns exec $a cat /proc/net/snmp /proc/net/netstat |
		awk 'NR == FNR { mib[$1 " " $2] = $3; next }
		$1 != proto { proto = $1; split($0, name); next }
		{ for (i = 2; i <= NF; i++) if ((sub(/:/, "", $1) || 1) &&
			($1 " " name[i]) in mib) print mib[$1 " " name[i]], $i;
			proto = "" }' names - | sort
}
cat >work <<W
peers -u -o 9 -n 2 -s 100
peers -u -a 10.9.8.2 -o 9 -n 1 -s 4000
touch done
W
counts >before
# Tracing goes on until all has been read, for a minute at most.
timeout 60 ip netns exec $a $DTRACE -qn "$(sed 's/.* //; s/.*/mib:::&/; $!s/$/,/' names) {
	@[probename] = sum(args[0]); }
	mib:::udpNoPorts { n += arg0; } mib:::udpNoPorts { again += arg0; }
	tick-1s { m++; } tick-1s /m == 2/ { system(\"sh work\"); }
	tick-1s /n && n == again/ { late++; } tick-1s /late == 3/ { exit(0); }
	END { printa(\"%s %@d\n\", @); printf(\"= %d\n\", n > 0 && n == again); }" -w |
	grep . >out || :
counts >after
grep = out
sed '/=/d' out | sort >told
# What has come to each.
awk 'FILENAME == "before" { was[$1] = $2; next } FILENAME == "after" { n[$1] = $2 - was[$1]; next }
	{ told[$1] = $2 }
	END { for (i in n) if (n[i] != told[i] + 0) print i, told[i] + 0 ", not", n[i];
		print "fragments", told["ipFragCreates"] }' before after told
