/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths so long that they are gone through in parts; what goes may be in another one. */
#pragma D option strsize=8k
#pragma D option quiet
string s, t;
BEGIN { s = "abcdefghijklmnopqrstuvwxyz"; }
BEGIN { s = strjoin(s, s); }
BEGIN { s = strjoin(s, s); }
BEGIN { s = strjoin(s, s); }
BEGIN { s = strjoin(s, s); }
BEGIN { s = strjoin(s, s); }
BEGIN { s = strjoin(s, s); }
BEGIN { s = strjoin(s, s); } 
BEGIN { t = strjoin("/k/", strjoin(s, "/../y/./z")); printf("%d %s\n", strlen(t), cleanpath(t)); }
BEGIN { t = strjoin("/k/l/m", strjoin(s, "/../../../../y"));
	printf("%d %s\n", strlen(t), cleanpath(t)); }
BEGIN { t = strjoin(s, strjoin("/..", "/../y/..")); printf("%d %s\n", strlen(t), cleanpath(t)); }
BEGIN { t = strjoin(substr(s, 0, 2045), strjoin("/../", strjoin(s, "/..")));
	printf("%d [%s]\n", strlen(t), cleanpath(t)); exit(0); }
