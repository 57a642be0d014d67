# tools/loads.d: as the kernel says, twice.
$DTRACE -s "$SRC/tools/loads.d" 2 >out 2>err
[ "$(grep -cE \
	'^[12][0-9]{3} .*  load averages: [0-9]+\.[0-9]{2} [0-9]+\.[0-9]{2} [0-9]+\.[0-9]{2}$' \
	out)" = 2 ]
read -r one five fifteen rest </proc/loadavg
awk -v want="$fifteen" '/load/ { d = $NF - want; if (d < 0) d = -d; ok = d < 0.3 }
	END { exit !ok }' out
