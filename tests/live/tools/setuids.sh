# tools/setuids.d: a program that takes another user, and is then not allowed to return.
# @@needs: cmd:python3
cat >change.py <<'P'
import os
os.setresuid(-1, 65534, -1)
os.setuid(0)
os.setreuid(65534, 65534)
try:
    os.setuid(0)
except PermissionError:
    pass
P
chmod 755 .
$DTRACE -s "$SRC/tools/setuids.d" -c 'python3 change.py' >out 2>err
grep -qE " python3 +$(id -u) setresuid +-1 +65534 -1 +0\$" out
grep -qE ' python3 +0 setreuid +65534 65534 +[01]$' out
grep -qE ' python3 +65534 setuid +0 +1$' out
