# SPDX-License-Identifier: GPL-2.0-or-later
# Each file of a rotated output, by -x rotatetime or by another program and SIGUSR1, is a complete
# document of its format with the beginning of the session, and no record is lost.
# @@needs: cmd:xmllint cmd:python3
fail() { echo "$*: $(head -5 err)" >&2; exit 1; }
script='tick-20ms { printf("<%d>\n", n++); @ = count(); @of = quantize(n); printa(@); }
	tick-2s { exit(0); }'
rotated() { # FORMAT OPTION...
	format=$1
	shift
	$DTRACE -x oformat="$format" -x rotatetime=500ms -qo "$format" -n "$script" "$@" \
		>said 2>err || fail "$format: status"
	[ ! -s err ] || fail "$format"
	[ -e "$format.3" ] || fail "$format: $(echo *)"
}

rotated xml
xmllint --noout xml xml.* || fail "documents of XML"
for file in xml xml.*; do [ "$(grep -c '^<start>' $file)" = 1 ] || fail "no start in $file"; done
grep -h -o '&lt;[0-9]*&gt;' $(ls xml.? | sort -r) xml | tr -dc '0-9\n' |
	awk '$1 != n { print "at", n, $1 } { n = $1 + 1 } END { exit n < 50 }' >gaps || fail "few"
[ ! -s gaps ] || fail "$(cat gaps)"

# A slice that is open ends in one file, and begins again in the next at the same time.
echo 'for i in 1 2 3 4 5 6 7 8; do sleep 0.3; done' >sleeps
$DTRACE -x oformat=perfetto -x rotatetime=500ms -x rotatekeep=99 -qo perfetto -n '
	syscall::wait4:entry, syscall::wait4:return /pid == $target/ { }
	tick-20ms { trace(0); }' -c 'sh sleeps' >said 2>err || fail "perfetto: status"
"$FIXTURE/timeline" -q perfetto perfetto.* || fail "documents of Perfetto"
python3 - $(ls perfetto.* | sort -t. -k 2nr) perfetto <<'P' || fail "slices of wait4"
import json, sys
files = [[e for e in json.load(open(name)) if e.get("name") == "wait4"] for name in sys.argv[1:]]
assert len(files) > 3, files
last, again, begun = None, 0, 0
for events in files:
    for e in events:
        begun += e["ph"] == "B" and "args" in e
        if e["ph"] == "B" and "args" not in e:
            assert last["ph"] == "E" and last["ts"] == e["ts"] and e is events[0], (last, e)
            again += 1
        last = e
assert begun >= 8 and again > 0, (begun, again)
P

rotated json
python3 - json.2 json.1 json <<'P' || fail "lines of JSON"
import json, sys
parts = [[json.loads(line) for line in open(name)] for name in sys.argv[1:]]
kinds = [[(r["type"], r.get("edge")) for r in part] for part in parts]
for part in kinds:
    assert part[:2] == [("start", None), ("part", "begin")], part[:2]
    assert [k for k, e in part].count("part") == (1 if part is kinds[-1] else 2)
assert [part[-1] for part in kinds] == [("part", "end")] * 2 + [("exit", None)], kinds
assert all(part[0] == parts[0][0] for part in parts)
P

# A page has no message about its end, and what its flame graphs are compared with.
echo 'a;b 3' >base
rotated html -x flamebase=base
for file in html html.*; do
	[ "$(head -1 $file)" = '<!DOCTYPE html>' ] && [ "$(tail -1 $file)" = '</html>' ] &&
		[ "$(grep -c '^{"type":"start"' $file)" = 1 ] &&
		[ "$(grep -c '^{"type":"flamebase"' $file)" = 1 ] || fail "$file"
done

# By another program: the old document is completed.
for format in xml svg; do
	$DTRACE -x oformat=$format -qo out.$format -wn '
		tick-50ms { @[stack()] = count(); }
		tick-200ms { printa(@); }
		tick-200ms /n++ == 2/ { system("echo >begun"); }' 2>err &
	until [ -e begun ]; do sleep 0.1; done
	mv out.$format old.$format
	kill -USR1 $!
	until [ -e out.$format ]; do sleep 0.1; done
	sleep 0.5
	kill $!
	wait $! || fail "$format: status"
	rm begun
	xmllint --noout old.$format out.$format || fail "files of $format"
done
