# SPDX-License-Identifier: GPL-2.0-or-later
# Debian's Python: lines and functions with file, function and line, with semaphores. (3.11 fires
# for all functions only while lines are traced too.)
# @@needs: file:/usr/bin/python3.11
cat >t.py <<'P'
def inner(n):
    return n + 1
def outer():
    return inner(1)
def numbers():
    yield 1
for n in numbers():
    outer()
P
cat >t.d <<'D'
python$target:::line
/basename(copyinstr(arg0)) == "t.py"/
{
	printf("line %s %s:%d\n", copyinstr(arg1), basename(copyinstr(arg0)), args[2]);
}
python$target:::function-entry, python$target:::function-return
/basename(copyinstr(arg0)) == "t.py"/
{
	printf("%s %s:%d\n", probename, copyinstr(arg1), arg2);
}
python$target:::import-find-load-start
/copyinstr(arg0) == "site"/
{
	printf("import %s\n", copyinstr(arg0));
}
D
$DTRACE -q -s t.d -c '/usr/bin/python3.11 t.py'
