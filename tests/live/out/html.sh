# oformat=html: a page whose records are those of oformat=json, in an element that nothing of other
# users ends; oformat=svg: the flame graph of the stacks that oformat=folded prints. Both replace
# the file of -o, and a recording gives both.
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: pid [0-9]+ has exited
# @@stderr: ^dtrace: error in clause 5 
# @@stderr: ^ *(CPU|[0-9]|vmlinux`|value |</script>|$)
fail() { echo "$*"; exit 1; }
command -v python3 >/dev/null || { echo "needs cmd:python3"; exit 77; }
cat >s.d <<'D'
syscall::lseek:entry /pid == $target/ { @stacks[execname, stack(), ustack()] = count();
	@size = quantize(arg1); }
syscall::lseek:entry /pid == $target/ {
	printf("</script><!--<script>\001\377 %d", arg1); stack(3); }
BEGIN { @big["</script>]]>", 123456789012345678] = sum(9007199254740993); }
END { printa(@size); printa(@size); }
BEGIN { trace(*(int *)NULL); }
D
echo old >page.html
$DTRACE -x record=rec -x recordprint -x oformat=html -o page.html -s s.d \
	-c 'calls 1 2 2' >out 2>err || fail "$(cat err)"
[ ! -s out ] || fail "$(cat out)"
$DTRACE -x replay=rec -x oformat=html -o again.html >out 2>>err || fail "replay: $(cat err)"
$DTRACE -x replay=rec -x oformat=json -o lines.json >out 2>>err
$DTRACE -x replay=rec -x oformat=folded -o folded >out 2>>err
echo old >graph.svg
$DTRACE -x replay=rec -x oformat=svg -o graph.svg >out 2>>err
cat >check.py <<'P'
import html.parser, json, re, sys, xml.etree.ElementTree

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.elements, self.records, self.inside = [], "", False

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.inside = ("id", "records") in attrs

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, text):
        if self.inside:
            self.records += text

def plain(v):
    """What oformat=json has: without references to frames, and with numbers."""
    if isinstance(v, list):
        return [plain(x) for x in v]
    if not isinstance(v, dict):
        return int(v) if isinstance(v, str) and re.fullmatch(r"-?\d{16,}", v) else v
    if list(v) == ["stack()"]:
        for i, f in enumerate(v["stack()"]):
            if isinstance(f, int):
                v["stack()"][i] = frames[f]
            else:
                frames.append(f)
        folds.append([f["function"] for f in v["stack()"]])
        return [{k: x for k, x in f.items() if k != "function"} for f in v["stack()"]]
    return {k: plain(x) for k, x in v.items()}

folds = []
for name in "page.html", "again.html":
    page = Page()
    page.feed(open(name).read())
    assert page.elements == ["html", "head", "meta", "meta", "meta", "title", "style", "script",
                             "body", "noscript", "script"], page.elements
    assert "<" not in page.records and "default-src 'none'" in open(name).read()
    assert open(name).read().endswith("</html>\n")
    got = []
    for line in page.records.splitlines():
        if line:
            frames = []
            got.append(plain(json.loads(line)))
    want = [json.loads(line) for line in open("lines.json")]
    for a, b in zip(got, want):
        if a["type"] == "start":
            a["options"] = b["options"] = {}
        assert a == b, f"{name}: {a}\n{b}"
    assert len(got) == len(want) and got[-1]["type"] == "exit"
assert any("<!--<script>\x01\ufffd" in json.dumps(r, ensure_ascii=False).replace("\\u0001", "\1")
           for r in got)

# Frames are those of the folded stacks; the picture has each once below its caller, and their sums.
stacks = [line.rsplit(" ", 1) for line in open("folded")]
flat = [";".join(reversed(f)) for f in folds]
for stack, n in stacks:
    name, *rest = stack.split(";")
    assert name == "calls" and rest, stack
    assert any(k and ";".join(rest).startswith(k) for k in flat), stack
want = {}
for stack, n in stacks:
    frames = stack.split(";")
    for i in range(len(frames)):
        key = (i + 1, ";".join(frames[:i + 1]))
        want[key] = want.get(key, 0) + int(n)
svg = xml.etree.ElementTree.parse("graph.svg").getroot()
ns = "{http://www.w3.org/2000/svg}"
graphs = [g for g in svg.iter(ns + "g") if g.get("class") == "graph"]
assert len(graphs) == 1 and "".join(graphs[0].find(ns + "text").itertext()).startswith("@stacks")
base, got = None, []
for g in graphs[0].findall(ns + "g"):
    name, value = re.fullmatch(r"(.*): (\d+), [\d.]+%", g.find(ns + "title").text, re.S).groups()
    y = float(g.find(ns + "rect").get("y"))
    base = y if base is None else base
    got.append((round((base - y) / 17), name, int(value)))
assert all(len(g.findtext(ns + "text")) * 6 <= float(g.find(ns + "rect").get("width"))
           for g in graphs[0].findall(ns + "g")), "labels are in their frames"
assert got[0] == (0, "all", sum(int(n) for _, n in stacks)), got[0]
assert sorted(got[1:]) == sorted((level, key.split(";")[-1], n) for (level, key), n in want.items())
print("same")
P
python3 check.py || fail check

# The page is written as records come; tests/report opens one that has no end. A picture is that of
# its file, and one without a stack is a picture all the same.
$DTRACE -x oformat=html -o cut.html -n 'BEGIN { trace(1); }' >out 2>err &
until grep -qs '"type":"record"' cut.html; do sleep 0.1; done
! grep -q '</html>' cut.html || fail "closed"
kill -TERM $!
wait $! || fail "status $?"
[ "$(tail -1 cut.html)" = '</html>' ]
# So is each file that SIGUSR1 opens, in XML too.
for form in html xml; do
	$DTRACE -x oformat=$form -qo now.$form -n 'tick-20ms { trace(1); }' >out 2>err &
	until [ -s now.$form ]; do sleep 0.1; done
	mv now.$form before.$form
	kill -USR1 $!
	until [ -s now.$form ]; do sleep 0.1; done
	kill -TERM $!
	wait $! || fail "status $?"
	[ "$(head -1 before.$form)" = "$(head -1 now.$form)" ] || fail "$form: $(head -1 now.$form)"
done
$DTRACE -wx oformat=svg -qn 'syscall::lseek:entry /pid == $target/ { @[ustack()] = count(); }
	END { freopen("other.svg"); printa(@); freopen(""); }' \
	-c 'calls 1' >first.svg 2>err
grep -q 'no aggregation has a stack' first.svg
grep -q '<title>all: 1, 100.00%</title>' other.svg
# Rows that were not cleared meanwhile count once.
$DTRACE -x oformat=svg \
	-qn 'syscall::lseek:entry /pid == $target/ { @[ustack()] = count(); printa(@); }
	syscall::lseek:entry /pid == $target && arg1 == 2/ { clear(@); }' \
	-c 'calls 1 2 3 4 5' >first.svg 2>err
grep -q '<title>all: 5, 100.00%</title>' first.svg || fail "$(grep all: first.svg)"
[ "$(grep -c '^</svg>$' other.svg)" = 1 ]
echo done
