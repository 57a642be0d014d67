# SPDX-License-Identifier: GPL-2.0-or-later
# flowindent with quiet: the lines of the flow, which scripts end themselves.
# @@once:
$DTRACE -qFn 'BEGIN { printf("%s\n", probename); exit(0); } END { trace(3); }' >out
sed -E 's/^ +[0-9]+ /CPU /; s/ +$//; s/ +/ /g' out
echo
