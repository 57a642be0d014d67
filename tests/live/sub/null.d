/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@err: */
/* NULL is no string: each of these ends its clause, and only that. */
#pragma D option quiet

string null;
string a[string];
self string none;
this string none;

BEGIN { null = NULL; printf("%d\n", strlen(null)); }
BEGIN { printf("%s\n", strjoin(null, "b")); }
BEGIN { printf("%s\n", strjoin("a", null)); }
BEGIN { printf("%s\n", strjoin("a", NULL)); }
BEGIN { printf("%d\n", index(null, "b")); }
BEGIN { printf("%d\n", index("a", null)); }
BEGIN { printf("%d\n", rindex("a", null, 1)); }
BEGIN { printf("%s\n", strchr(null, 'a')); }
BEGIN { printf("%s\n", strrchr(null, 'a')); }
BEGIN { printf("%s\n", strstr("a", null)); }
BEGIN { printf("%s\n", strtok("a", null)); }
BEGIN { printf("%s\n", substr(null, 1)); }
BEGIN { printf("%s\n", basename(null)); }
BEGIN { printf("%s\n", dirname(null)); }
BEGIN { printf("%s\n", toupper(null)); }
BEGIN { printf("%s\n", tolower(strchr("a", 'b'))); }
BEGIN { printf("%d\n", strtoll(null)); }
BEGIN { null = strjoin(a["none"], "x"); }
BEGIN { null = basename(self->none); }
BEGIN { printf("before %d ", 1); null = dirname(this->none); }
BEGIN { printf("%d\n", strlen(0)); }
BEGIN { printf("%s\n", substr(0, 1)); }
BEGIN { printf("%s\n", inet_ntoa(0)); }
/* Recorded, or a key, it would be taken for "". */
BEGIN { trace(null); }
BEGIN { printf("%s\n", self->none); }
BEGIN { trace(this->none); }
BEGIN { print(a["none"]); }
BEGIN { trace(strstr("a", "b")); }
BEGIN { trace(strtok(",", ",")); }
BEGIN { trace(signame(1000)); }
BEGIN { trace(json("{}", "a")); }
BEGIN { trace(1 == arg0 ? "a" : NULL); }
BEGIN { @[null] = count(); }
BEGIN { a[null] = "b"; }
BEGIN { a["b"] = strstr("a", "b");
	printf("%d\n", null == NULL && a["b"] == NULL && self->none != ""); }
BEGIN { this->none = ""; self->none = "";
	printf("the rest: [%s] [%s]\n", this->none, self->none); exit(0); }
