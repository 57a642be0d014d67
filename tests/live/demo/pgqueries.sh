# demo/pgqueries.d: the queries of a client of a server of our own, with their times.
# @@needs: cmd:setpriv cmd:psql file:/usr/lib/postgresql/15/bin/postgres
[ -z "${SLOW:-}" ] || { echo 'an emulated machine takes minutes for it'; exit 77; }
id -u postgres >/dev/null || { echo 'there is no user postgres'; exit 77; }
bin=/usr/lib/postgresql/15/bin
top=$(mktemp -d /tmp/dtpg.XXXXXX)
as() { (cd "$top" && exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@"); }
trap 'as $bin/pg_ctl -D $top/d -m immediate -w stop >/dev/null 2>&1; rm -rf "$top"' EXIT
trap 'exit 1' TERM INT
chown postgres "$top"
as $bin/initdb -D "$top/d" -A trust -N --no-locale >log 2>&1
as $bin/pg_ctl -D "$top/d" -l "$top/d/log" -w -o "-k $top -c listen_addresses= -c autovacuum=off -c fsync=off" start >/dev/null
export PGHOST="$top" PGUSER=postgres
cat >q.sql <<'S'
create table t as select generate_series(1, 3) i;
select sum(i) from t;
select pg_sleep(0.05);
S
$DTRACE -s "$SRC/demo/pgqueries.d" -c "psql -qAtX -o answers -f q.sql" >out
grep -q '^ *[0-9][0-9]*  *[0-9][0-9]* create table t as select generate_series(1, 3) i;$' out
grep -q '^ *[0-9][0-9]*  *[0-9][0-9]* select sum(i) from t;$' out
awk '/pg_sleep/ && $2 >= 50000 { slow = 1 } /^  create$/ { create = 1 } /^  select$/ { select = 1 } END { exit !(slow && create && select) }' out
