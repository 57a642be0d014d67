# SPDX-License-Identifier: GPL-2.0-or-later
# A script with UTF-8's byte order mark in front, with and without the preprocessor; strings side
# by side.
# @@needs: cmd:cpp
{
	printf '\357\273\277'
	cat <<'D'
#!/usr/sbin/dtrace -qs
#pragma D option quiet
BEGIN { printf("one %d "
"two\n", 1); exit(0); }
D
} >mark.d
$DTRACE -s mark.d
$DTRACE -C -s mark.d
