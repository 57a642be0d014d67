# Counters and what they count: each is compared with what the process did.
# @@stderr: ^dtrace: warning: these probes never fire: vminfo:::execpgin .*, mib:::rawipOutDatagrams
echo "three connections:"
$DTRACE -qn 'ip:::drop-in /pid == $target/ { drops++; }
	tcp:::send /pid == $target/ { sent = 1; }
	END { printf("sent %d, dropped %d\n", sent, drops); }' -c 'peers -n 3' | grep sent
$DTRACE -qn 'tcp:::accept-refused /pid == $target/ { refused++;
		good += args[3]->tcps_laddr == args[2]->ip_saddr &&
		    args[3]->tcps_rport == args[4]->tcp_dport && args[3]->tcps_local; }
	END { printf("refused %d, addresses %d\n", refused, good); }' -c 'peers -r' | grep refused
echo "names:"
$DTRACE -qn 'BEGIN { printf("%s\n", exists(SKB_DROP_REASON_FRAG_TOO_FAR) ?
	ip_drop_string[SKB_DROP_REASON_FRAG_TOO_FAR] : "FRAG_TOO_FAR");
	exit(0); }' | grep .
$DTRACE -ln 'mib:::udp*InDatagrams' | awk '{ print $NF }'
$DTRACE -ln 'mib::icmp_*:' | awk 'NR > 1 && $NF !~ /^icmp/'
$DTRACE -ln 'mib:ip:tcp_input_data:tcpInSegs, mib:::ipIfStatsIn*Errors' |
	awk '{ print $NF }' | sort -u
$DTRACE -ln 'fsinfo:::close, fsinfo:::map, fsinfo:::seek, fsinfo:::ioctl' |
	awk 'NR > 1 { print $(NF-1), $NF }'
$DTRACE -qn 'vminfo:::execpgin, mib:::rawipOutDatagrams { @[probename] = sum(arg0); }
	BEGIN { exit(0); }' 2>err | grep -c rawip || :
cat err >&2
echo "nothing read:"
$DTRACE -qn 'sysinfo:::readch /pid == $target && !arg0/ { n++; }
	END { printf("%d\n", n > 0); }' -c 'cat /dev/null' | grep .
echo "asleep:"
$DTRACE -qn 'sched:::off-cpu /pid == $target && curlwpsinfo->pr_state == SSLEEP/ {
	@[curlwpsinfo->pr_stype == SOBJ_CV] = count(); }
	END { printa("%d\n", @); }' -c 'sleep 0.01' | sort -u | grep .
# In the middle of an exec the end of the arguments is not known yet; the environment follows them.
echo "exec:"
SECRET=hush $DTRACE -qn 'sdt:mmap::vm_unmapped_area /pid == $target/ {
	@[curpsinfo->pr_psargs] = count(); }
	END { printa("%s\n", @); }' -c "sh -c 'exec true one two'" | grep . | sort
