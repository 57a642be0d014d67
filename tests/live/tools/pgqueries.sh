# tools/pgqueries.d: the queries of a client of a server of our own, with their times.
# @@needs: cmd:setpriv cmd:psql file:/usr/lib/postgresql/15/bin/postgres
. "$FIXTURE/pgserver"
cat >q.sql <<'S'
create table t as select generate_series(1, 3) i;
select sum(i) from t;
select pg_sleep(0.05);
S
$DTRACE -s "$SRC/tools/pgqueries.d" -c "psql -qAtX -o answers -f q.sql" >out
grep -q '^ *[0-9][0-9]*  *[0-9][0-9]* create table t as select generate_series(1, 3) i;$' out
grep -q '^ *[0-9][0-9]*  *[0-9][0-9]* select sum(i) from t;$' out
awk '/pg_sleep/ && $2 >= 50000 { slow = 1 } /^  create$/ { create = 1 } /^  select$/ { select = 1 }
	END { exit !(slow && create && select) }' out
