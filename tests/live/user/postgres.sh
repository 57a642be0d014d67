# SPDX-License-Identifier: GPL-2.0-or-later
# Debian's PostgreSQL: a server of our own; one of its backends by its pid, and all of them by the
# program's path.
# @@needs: cmd:setpriv cmd:psql file:/usr/lib/postgresql/15/bin/postgres
. "$FIXTURE/pgserver"
cat >t.d <<'D'
BEGIN { printf("ready\n"); }
postgresql$target:::query-start { printf("query %s\n", copyinstr(arg0)); }
postgresql$target:::transaction-start, postgresql$target:::transaction-commit,
    postgresql$target:::transaction-abort
{
	printf("%s\n", probename);
}
postgresql$target:postgres::query-done { printf("done %s\n", copyinstr(args[0])); }
postgresql$target:::query-done /copyinstr(arg0) == "select 'last';"/ { exit(0); }
D
mkfifo in
psql -qAtX <in >answers 2>&1 &
exec 3>in
echo 'select pg_backend_pid();' >&3
while [ ! -s answers ]; do sleep 0.1; done
read -r backend <answers
$DTRACE -q -s t.d -p "$backend" >out &
while ! grep -q ready out; do kill -0 $!; sleep 0.1; done
cat >&3 <<'S'
create table t as select generate_series(1, 3) i;
begin; select sum(i) from t; rollback;
select 'last';
S
wait $!
cat out
exec 3>&-

# Backends that start later.
$DTRACE -q -n 'postgresql*:'$bin'/postgres::query-start
	/progenyof('"$(head -1 "$top/d/postmaster.pid")"')/ { printf("%s\n", copyinstr(arg0)); }' \
	-c "psql -qAtX -o answers -c 'select 42'"
