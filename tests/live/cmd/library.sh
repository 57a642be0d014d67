# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of libdt.3, built by pkg-config with an installed library, and demo/dt.py.
# @@needs: cmd:make cmd:gcc cmd:g++ cmd:pkg-config cmd:python3
set -e
[ -e "$BUILD/libdt.so" ] || { echo "needs a shared library"; exit 77; }
root=$PWD/root
# -o: what there is, as it is
make -s -C "$BUILD" -o libdt.a \
	-o libdt.so DESTDIR="$root" install-includeHEADERS install-pkgconfigDATA \
	install-exec-local >make.out
pc=$(find "$root" -name dt.pc)
PKG_CONFIG_PATH=${pc%/dt.pc} PKG_CONFIG_SYSROOT_DIR=$root
LD_LIBRARY_PATH=${pc%/pkgconfig/dt.pc}
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH

awk '/^\.\\" file/ { file = $3 }
/^\.Ed/ { file = "" }
file && body { print > file }
{ body = file && (body || /^\.Bd -literal/) }' "$SRC/doc/libdt.3"
for f in count.c loop.cc rows.py; do
	[ -s $f ] || { echo "libdt.3 has no $f"; exit 1; }
	sed -i 's/\\e/\\/g; s/\\&//g' $f
done

gcc -std=c99 -Wall -Wextra -Wno-unused-parameter -Werror \
	-o count count.c $(pkg-config --cflags --libs dt)
readelf -d count | grep -q 'NEEDED.*libdt\.so\.1'
./count >count.out
sed -n '1,2s/\[[0-9]*\]/[PID]/p' count.out
grep -Eq '^@calls count [1-9][0-9]*$' count.out
g++ -std=c++11 -Wall -Wextra -Wno-unused-parameter -Werror \
	-o loop loop.cc $(pkg-config --cflags --libs dt)
./loop
export PYTHONPATH="$SRC/demo" PYTHONDONTWRITEBYTECODE=1
python3 rows.py

cat >records.py <<'P'
import os, sys, threading, dt
program = """
syscall::getppid:entry /pid == $1/ {
    @[execname, arg0 - arg0] = count(); trace(x++); stack(2); }
syscall::getppid:return /pid == $1 && x == 3/ {
    print(*(struct list_head *)&curthread->tasks); exit(0); }
"""
session = dt.Session(program.replace("$1", str(os.getpid())), quiet=None)
records = []
timer = threading.Timer(0.5, lambda: [os.getppid() for i in range(3)])
timer.start()
for record in session.records():
    assert record["pid"] == os.getpid() and record["tid"] == timer.native_id, record
    assert record["execname"] == "python3" and record["time"] > 1.6e18, record
    records.append(record)
print([r["probe"].split(":")[2:] for r in records])
print([r["values"][0] for r in records[:3]], sorted(records[3]["values"][0]))
assert all(len(r["values"][1]) == 2 and "`" in r["values"][1][0] for r in records[:3]), records
print(session.aggregations())
session.close()
try:
    dt.Session("BEGIN { nosuch(); }")
except RuntimeError as e:
    print(e)
P
python3 records.py
python3 "$SRC/demo/dt.py" 'BEGIN { trace("a"); @ = sum(7); exit(0); }' >json
python3 -c '
import json, sys
record, row = map(json.loads, sys.stdin)
print(record["values"], row)' <json
