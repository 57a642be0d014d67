# @@needs: cmd:losetup
# tools/iotop.d: the requests and kilobytes of a command.
. "$FIXTURE/disk"
read="dd if=$loop of=/dev/null iflag=direct bs=8k count=20 status=none"
$DTRACE -s "$SRC/tools/iotop.d" -c "$read" >out 2>err
date='[12][0-9][0-9][0-9] [A-Z][a-z][a-z] .*' load='[0-9]*\.[0-9][0-9]'
grep -q "^$date, load $load, disks: [0-9]* KB read, 0 KB written\$" out
awk -v disk="${loop#/dev/}" \
	'$4 == "dd" && $5 == disk && $6 == "R" { reqs += $7; kb += $8; us += $9 }
	END { exit !(reqs == 20 && kb == 160 && us > 0) }' out
