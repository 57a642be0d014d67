# SPDX-License-Identifier: GPL-2.0-or-later
# The first line of a script that is executed, with several words of options.
# @@once:
script() { # OPTIONS
	echo "#!$DTRACE_PROGRAM $1" >script.d
	cat >>script.d <<'D'
#define THREE 3
nosuch*:::probe { }
BEGIN { printf("%d %s %d\n", THREE, $$1, $2); exit(0); }
D
	chmod +x script.d
	./script.d 'one two' 2 | grep .
}
script '-CZqs'
script '-C -Z -q -s'
script '-x aggsortkey	-x aggsortkeypos=0 -C -Zqs'
$DTRACE '-n BEGIN { exit(0); }' -q -e
# The name of a script that ends so is no line of options.
echo 'BEGIN { printf("named"); exit(0); }' >'a -s'
$DTRACE -q -s'a -s' | grep .
