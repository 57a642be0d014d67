// SPDX-License-Identifier: GPL-2.0-or-later
// The page of oformat=html: shows the records that its element "records" has, lines of JSON as
// doc/json.md describes them. A stack is {"stack()": frames} there, where a number stands for a
// frame that the line has already, and a frame has its "function"; integers of more than 15 digits
// are strings. What others control becomes text nodes: never markup, never a style.
"use strict";
const ROWS = 100, LINES = 500, KEYS = 6, SERIES = 8, SNAPSHOTS = 400, ROW = 18;
const LAST = 2 ** 63;
const format = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });

function el(tag, attributes, ...content) {
	const e = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes || {}))
		if (typeof value === "function")
			e.addEventListener(name, value);
		else if (value !== false && value !== undefined)
			e.setAttribute(name, value);
	e.append(...content);
	return e;
}

function svg(tag, attributes, ...content) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", tag);

	for (const [name, value] of Object.entries(attributes))
		e.setAttribute(name, value);
	e.append(...content);
	return e;
}

const percent = share => (100 * share).toFixed(share < .1 ? 2 : 1) + "%";
const number = n => typeof n === "string" ? n.replace(/\B(?=(\d{3})+$)/g, ",") : format.format(n);
const plural = (n, word) => number(n) + " " + word + (n === 1 ? "" : "s");
const sum = (list, of) => list.reduce((n, x) => n + of(x), 0);
const largest = (list, of) => list.reduce((n, x) => Math.max(n, of ? of(x) : x), 0);
const array = x => Array.isArray(x) ? x : [];
const byText = new Intl.Collator("en", { numeric: true }).compare;

// Values ----------------------------------------------------------------------

function frameText(f) {
	const name = f.function || (f.symbol ? f.module + "`" + f.symbol : f.module || f.address);
	const known = f.symbol && f.offset ? "+0x" + f.offset.toString(16) : "";

	return name + known + (f.file ? " " + f.file + ":" + f.line : "");
}

function valueText(v) {
	if (v === null || v === undefined)
		return "?";
	if (typeof v !== "object")
		return String(v);
	if (v["stack()"])
		return v["stack()"].map(f => "\n    " + frameText(f)).join("");
	if (typeof v.address === "string")
		return frameText(v);
	return JSON.stringify(v, null, 2);
}

const keyText = keys => keys.map(valueText).join(", ").trim();

// Records ---------------------------------------------------------------------

function resolve(v, frames) {
	const stack = v && v["stack()"];

	if (Array.isArray(stack))
		stack.forEach((f, i) => {
			if (typeof f === "number")
				stack[i] = frames[f] || { address: "?" };
			else
				frames.push(f);
		});
}

const data = { start: null, base: null, exit: null, problems: [], lines: [], aggregations: new Map(), bad: 0,
	       first: 0, last: 0, part: false };

function takeAggregation(a, r, frames) {
	const known = data.aggregations.get(a.name);
	const of = known || { name: a.name, fn: a.function, names: a.columns || [], snapshots: [] };

	data.aggregations.set(a.name, of);
	for (const row of a.rows)
		row.keys.forEach(key => resolve(key, frames));
	of.snapshots.push({ at: r.timestamp, clears: a.clears, rows: a.rows });
}

function takeRecord(r) {
	const frames = [];
	let text = "", shown = r.output.length === 0;

	for (const o of r.output) {
		(o.values || []).forEach(v => resolve(v.value, frames));
		(o.aggregations || []).forEach(a => takeAggregation(a, r, frames));
		if (o.aggregations || o.action === "exit")
			continue;
		shown = true;
		if (o.message !== undefined)
			text += o.message;
		else
			for (const v of o.values || [])
				text += (text && !/\s$/.test(text) ? " " : "") +
					(v.type ? v.type + " " : "") +
					(v.bytes === undefined ? valueText(v.value)
							       : v.bytes.replace(/../g, "$& "));
	}
	if (shown)
		data.lines.push({ r, text: text.replace(/^\n|\n$/g, "") });
}

function takeLine(line) {
	const r = JSON.parse(line);

	if (r.timestamp) {
		data.first = data.first || r.timestamp;
		data.last = Math.max(data.last, r.timestamp);
	}
	if (r.type === "start")
		data.start = data.start || r;
	else if (r.type === "exit" || (r.type === "part" && r.edge === "end"))
		data.exit = r;
	else if (r.type === "part")
		data.part = true;
	else if (r.type === "record")
		takeRecord(r);
	else if (r.type === "aggregation")
		takeAggregation(r, r, []);
	else if (r.type === "flamebase")
		data.base = baseOf(r.stacks);
	else if (r.type === "process" || r.type === "note")
		data.lines.push({ r, text: r.message });
	else
		data.problems.push(r);
}

// The last line may be incomplete: dtrace was killed while it wrote.
function takeLines(text) {
	for (let at = 0, end; at < text.length; at = end + 1) {
		end = text.indexOf("\n", at);
		if (end < 0)
			end = text.length;
		if (end - at < 2)
			continue;
		try {
			takeLine(text.slice(at, end));
		} catch (e) {
			data.bad++;
		}
	}
}

// Parts of the page -----------------------------------------------------------

const searches = []; // functions of the text, which return how much they found

function clock(at, digits) {
	return "+" + ((at - data.first) / 1e9).toFixed(digits || 3) + " s";
}

// A list that begins with as many of its elements, and a button for more.
function shortened(into, count, step, add) {
	const more = el("button", { class: "more", click: () => show() });
	let shown = 0;

	function show() {
		const to = Math.min(count, shown + step);

		for (; shown < to; shown++)
			add(shown);
		step *= 4;
		more.textContent = number(count - shown) + " more";
		more.hidden = shown === count;
	}
	show();
	into.after(more);
	return more;
}

// columns: { name, value(row), text(row), bar }; numbers are on the right, largest first.
function table(columns, rows, first) {
	const head = el("tr"), body = el("tbody");
	const holder = el("div", { class: "scroll" }, el("table", {}, el("thead", {}, head), body));
	const place = el("div", {}, holder);
	let order = first, down = columns[first] && columns[first].number, words = "", more = null;

	const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b :
		byText(a, b);

	const kind = c => c.number ? "number" : c.time ? "time" : "text";

	function cell(column, row) {
		const text = column.text(row);
		const td = el("td", { class: kind(column) }, text);

		if (column.bar) {
			const share = Math.max(0, column.value(row)) / column.bar;

			td.prepend(el("i", { style: "width:" + (100 * share).toFixed(1) + "%" }));
		}
		return td;
	}

	function fill() {
		const found = !words ? rows.slice() : rows.filter(row => columns.some(
			c => c.text(row).toLowerCase().includes(words)));

		if (order >= 0)
			found.sort((a, b) => compare(columns[order].value(a), columns[order].value(b)) *
				(down ? -1 : 1));
		columns.forEach((c, i) => c.th.setAttribute("aria-sort",
			i !== order ? "none" : down ? "descending" : "ascending"));
		body.replaceChildren();
		if (more)
			more.remove();
		more = shortened(holder, found.length, ROWS, i => body.append(
			el("tr", {}, ...columns.map(c => cell(c, found[i])))));
		return found.length;
	}

	columns.forEach((c, i) => {
		c.th = el("th", { class: kind(c), scope: "col" },
			el("button", { click: () => {
				down = order === i ? !down : Boolean(c.number);
				order = i;
				fill();
			} }, c.name));
		head.append(c.th);
	});
	fill();
	searches.push(text => {
		words = text;
		return (text ? fill() : fill() && 0);
	});
	return place;
}

const textColumn = (name, of) => ({ name, value: of, text: row => String(of(row)) });
const numberColumn = (name, of, bar) => ({
	name, number: true, bar, value: row => Number(of(row)), text: row => {
		const n = of(row);

		return n === undefined ? "" : number(n);
	} });

const timeColumn = of => ({ name: "time", time: true, value: row => of(row).timestamp || Infinity,
	text: row => of(row).timestamp ? clock(of(row).timestamp, 6) : "" });

function keyColumns(a) {
	const columns = [];
	const most = largest(a.snapshots, s => s.rows.length ? s.rows[0].keys.length : 0);

	for (let i = 0; i < most; i++) {
		const of = row => {
			const v = row.keys[i];

			return typeof v === "number" ? v : valueText(v);
		};
		columns.push({ name: a.names[i] || "key " + (i + 1), value: of,
			       text: row => valueText(row.keys[i]) });
	}
	return columns;
}

// A picture with a line below that says what the pointer or the arrow keys are at.
function status() {
	return el("p", { class: "status", "aria-live": "polite" }, "\u00a0");
}

// Flame graphs ----------------------------------------------------------------

const weight = row => row.buckets ? sum(row.buckets, b => Number(b.count)) : Number(row.value);

const functions = new Map(); // each once, by its name

function functionOf(name, kind) {
	let f = functions.get(name);

	if (!f)
		functions.set(name, f = { name, kind });
	return f;
}

// Folded stacks, which a graph is compared with, as a tree.
function baseOf(text) {
	const root = { value: 0, kids: new Map() };

	for (const line of text.split("\n")) {
		const at = line.lastIndexOf(" "), value = Number(line.slice(at + 1));
		let node = root;

		if (at < 1)
			continue;
		root.value += value;
		for (const name of line.slice(0, at).split(";")) {
			let kid = node.kids.get(name);

			if (!kid)
				node.kids.set(name, kid = { value: 0, kids: new Map() });
			kid.value += value;
			node = kid;
		}
	}
	return root.value ? root : null;
}

// Where a frame is in that tree; separators are not part of names there.
const before = (node, of) => node.before &&
	node.before.kids.get(of.name.replace(/;/g, ":").replace(/\n/g, " "));

const inKernel = frame => /^0x[89a-f].{15}$/.test(frame.address);

// The keys of a row: a user stack before the kernel's, which it called.
function outermostFirst(keys) {
	const sorted = [...keys];

	for (let i = 1; i < keys.length; i++) {
		const [before, stack] = [keys[i - 1], keys[i]].map(key => key && key["stack()"]);

		if (before && stack && before.length && stack.length && inKernel(before[0]) &&
		    !inKernel(stack[0]))
			[sorted[i - 1], sorted[i]] = [keys[i], keys[i - 1]];
	}
	return sorted;
}

// A row as functions, the outermost first.
function pathOf(row) {
	const path = [];

	for (const key of outermostFirst(row.keys)) {
		const stack = key && key["stack()"];

		if (!stack) {
			path.push(functionOf(valueText(key), "key"));
			continue;
		}
		for (let i = stack.length - 1; i >= 0; i--) {
			const f = stack[i];

			f.of = f.of || functionOf(f.function || f.address,
				inKernel(f) ? "kernel" : "user");
			path.push(f.of);
		}
	}
	return path;
}

// What a frame called, by name; found when it is drawn: most frames of many stacks never are.
function kidsOf(node) {
	if (node.kids)
		return node.kids;
	const found = new Map();

	for (const row of node.rows) {
		const of = row.path[node.depth];

		if (!of)
			continue;
		let kid = found.get(of);

		if (!kid)
			found.set(of, kid = { of, depth: node.depth + 1, value: 0, rows: [],
					      parent: node, before: before(node, of) });
		kid.rows.push(row);
		kid.value += row.weight;
	}
	return node.kids = [...found.values()].sort((a, b) => a.of.name < b.of.name ? -1 : 1);
}

function tone(name) {
	let mix = 0;

	for (let i = 0; i < name.length; i++)
		mix = (mix * 31 + name.charCodeAt(i)) % 997;
	return " t" + mix % 5;
}

// Of each function: how much it is on the stack, and how much at its end.
function totalsOf(rows) {
	const found = new Map();

	rows.forEach(({ path, weight }, i) => path.forEach((of, depth) => {
		let f = found.get(of);

		if (!f)
			found.set(of, f = { name: of.name, total: 0, self: 0, row: -1 });
		f.total += f.row === i ? 0 : weight;
		f.row = i;
		f.self += depth === path.length - 1 ? weight : 0;
	}));
	return [...found.values()];
}

function flame(a) {
	const box = el("div", { class: "flame", tabindex: 0, role: "application", "aria-label":
		"Flame graph. Arrow keys select a frame, Enter widens it, Escape shows all." });
	const said = status(), reset = el("button", { click: () => zoom(root) }, "Show all");
	const totals = el("details", {}, el("summary", {}, "Functions"));
	const times = a.snapshots.length > 1 ? el("select", { "aria-label": "Time",
		change: () => choose(times.value) }) : null;
	const base = data.base;
	let root, top, selected, drawn = [], words = "", width = 0;

	data.base = null; // it is of one graph
	const shareBefore = node => node.before ? node.before.value / base.value : 0;

	function describe(node) {
		return node.of.name + ": " + number(node.value) + ", " +
			percent(node.value / root.value) +
			(base ? "; before " + percent(shareBefore(node)) : "");
	}

	// By how much of the whole its share has changed, or whose the frame is.
	function colour(node) {
		if (!base)
			return node.of.kind + tone(node.of.name);
		const by = node.value / root.value - shareBefore(node);
		const steps = [.001, .005, .02, .08].filter(step => Math.abs(by) >= step).length;

		return !steps ? "same" : (by < 0 ? "less" : "more") + steps;
	}

	function select(node) {
		if (selected && selected.box)
			selected.box.classList.remove("selected");
		selected = node;
		if (node && node.box) {
			node.box.classList.add("selected");
			said.textContent = describe(node);
		}
	}

	function put(into, node, x, w, level) {
		const b = el("div", { class: colour(node) +
			(node.depth < top.depth ? " above" : "") + (w * width < 3 ? " thin" : ""),
				      title: describe(node) });

		b.style.left = 100 * x + "%";
		b.style.width = 100 * w + "%";
		b.style.bottom = level * ROW + "px";
		if (w * width > 24)
			b.textContent = node.of.name.replace(/^vmlinux`/, "");
		b.node = node;
		node.box = b;
		drawn.push(node);
		into.append(b);
	}

	// Frames of less than half a pixel are left out, with all that is above them.
	function draw() {
		const into = document.createDocumentFragment(), open = [[top, 0, 1]], path = [];
		let deepest = 0;

		width = box.clientWidth || 1000;
		drawn.forEach(node => node.box = null);
		drawn = [];
		for (let node = top; node; node = node.parent)
			path.unshift(node);
		path.slice(0, -1).forEach(node => put(into, node, 0, 1, node.depth));
		while (open.length) {
			const [node, x, w] = open.pop();
			let at = x;

			put(into, node, x, w, node.depth);
			deepest = Math.max(deepest, node.depth);
			for (const kid of kidsOf(node)) {
				const share = kid.value / top.value;

				if (share * width >= .5)
					open.push([kid, at, share]);
				at += share;
			}
		}
		box.style.height = (deepest + 1) * ROW + "px";
		box.replaceChildren(into);
		reset.hidden = top === root;
		mark();
	}

	function zoom(node) {
		top = node;
		draw();
		select(node);
	}

	function mark() {
		for (const node of drawn)
			node.box.classList.toggle("match", words !== "" &&
				node.of.name.toLowerCase().includes(words));
	}

	// How much is below a frame that is found, and how many are.
	function search(text) {
		const found = new Set();
		let part = 0;

		words = text;
		mark();
		for (const f of text ? functions.values() : [])
			if (f.name.toLowerCase().includes(text))
				found.add(f);
		const hit = new Set();

		for (const row of found.size ? root.rows : []) {
			const of = row.path.filter(f => found.has(f));

			part += of.length ? row.weight : 0;
			of.forEach(f => hit.add(f));
		}
		said.textContent = text ? plural(hit.size, "function") + " found, in " +
			percent(part / root.value) : "\u00a0";
		return hit.size;
	}

	function choose(which) {
		const last = a.snapshots.length - 1;
		const rows = a.snapshots.flatMap((s, i) => (which === "all"
			? i === last || !goesOn(a.snapshots, i + 1) : Number(which) === i) ? s.rows : []);

		root = { of: { name: "all", kind: "key" }, depth: 0, value: 0, rows: [],
			 before: base };
		for (const row of rows) {
			row.path = row.path || pathOf(row);
			row.weight = weight(row);
			if (!(row.weight > 0))
				continue;
			root.rows.push(row);
			root.value += row.weight;
		}
		zoom(root);
		said.textContent = "\u00a0";
		if (totals.open)
			list();
	}

	function list() {
		const found = totalsOf(root.rows);

		totals.replaceChildren(totals.firstChild, table([
			textColumn("function", f => f.name),
			numberColumn("own", f => f.self, largest(found, f => f.self)),
			numberColumn("with callees", f => f.total, root.value),
		], found, 1));
	}

	function key(e) {
		const drawn = list => list.filter(n => n.box);
		const siblings = selected.parent ? drawn(kidsOf(selected.parent)) : [selected];
		const kids = drawn(kidsOf(selected)).sort((x, y) => y.value - x.value);
		const at = siblings.indexOf(selected);
		const to = { ArrowUp: kids[0], ArrowDown: selected.parent, ArrowLeft: siblings[at - 1],
			     ArrowRight: siblings[at + 1], Home: root }[e.key];

		if (e.key === "Enter" || e.key === " ")
			zoom(selected);
		else if (e.key === "Escape")
			zoom(root);
		else if (to)
			select(to);
		if (to || e.key === "Enter" || e.key === " ")
			e.preventDefault();
	}

	box.addEventListener("click", e => e.target.node && zoom(e.target.node));
	box.addEventListener("mouseover", e => {
		if (e.target.node)
			said.textContent = describe(e.target.node);
	});
	box.addEventListener("keydown", key);
	totals.addEventListener("toggle", () => totals.open && list());
	if (times) {
		times.append(el("option", { value: "all" }, "in all"));
		a.snapshots.forEach((s, i) => times.append(el("option", { value: i }, clock(s.at))));
	}
	requestAnimationFrame(() => {
		choose("all");
		new ResizeObserver(() => {
			if (Math.abs(box.clientWidth - width) > 40)
				draw();
		}).observe(box);
	});
	searches.push(search);
	return [el("p", { class: "tools" }, legend(base
		? [["more3", "larger share than before"], ["less3", "smaller share"],
		   ["same", "equal"], ["match", "found"]]
		: [["user", "user code"], ["kernel", "kernel"], ["key", "keys"],
		   ["match", "found"]]), times || "", reset), box, said, totals];
}

function legend(entries) {
	return el("span", { class: "legend" }, ...entries.map(([kind, text]) =>
		el("span", {}, el("i", { class: kind + " t0" }), text)));
}

// Distributions ---------------------------------------------------------------

const bound = n => Math.abs(n) >= LAST ? (n < 0 ? "-\u221e" : "\u221e") : number(n);
const bucketText = b => b.range !== undefined ? b.range : number(b.value);
const rangeText = b => b.low === b.high ? number(b.low) : bound(b.low) + " to " + bound(b.high);

// Buckets from the first to the last, with the empty ones between them where their size is known.
function scale(fn, lists) {
	const known = new Map(), result = [];

	for (const list of lists)
		for (const b of list)
			known.set(String(b.low), { low: Number(b.low), high: Number(b.high),
				value: Number(b.value), range: b.range });
	for (const b of [...known.values()].sort((x, y) => x.low - y.low)) {
		let last = result[result.length - 1];
		const step = fn === "lquantize" && last ? Math.min(...[last, b].map(x =>
			x.high - x.low + 1)) : 0;

		for (let i = 0; last && last.high + 1 < b.low && last.high < LAST && i < 200; i++) {
			const low = last.high + 1;
			const high = step ? last.high + step : low > 0 ? 2 * low - 1 :
				low < -1 ? Math.ceil(low / 2) - 1 : low;

			if (fn === "llquantize" || high >= b.low)
				break;
			last = { low, high, value: low > 0 || step ? low : high };
			result.push(last);
		}
		result.push(b);
	}
	return result;
}

function counts(buckets, row) {
	const of = new Map((row ? row.buckets : []).map(b => [Number(b.low), Number(b.count)]));

	return buckets.map(b => of.get(b.low) || 0);
}

// A row for a bucket: its name, a bar, its count.
function bars(title, buckets, n) {
	const most = Math.max(1, largest(n)), total = sum(n, x => x);
	const body = el("tbody");

	buckets.forEach((b, i) => {
		const bar = el("i", { style: "width:" + (100 * Math.max(0, n[i]) / most) + "%" });

		body.append(el("tr", { title: rangeText(b) + ": " + number(n[i]) + ", " +
			percent(n[i] / (total || 1)) }, el("th", { scope: "row" }, bucketText(b)),
			       el("td", { class: "bar" }, bar), el("td", {}, n[i] ? number(n[i]) : "")));
	});
	return el("figure", {}, title ? el("figcaption", {}, title) : "",
		el("table", { class: "bars" }, body));
}

// The rows of one key at all times.
function byKey(a, snapshots) {
	const keys = new Map();

	snapshots.forEach((s, i) => {
		for (const row of s.rows) {
			const text = keyText(row.keys), known = keys.get(text);
			const k = known || { text, rows: [], total: 0 };

			keys.set(text, k);
			k.rows[i] = row;
			k.total += Math.abs(weight(row));
		}
	});
	return [...keys.values()].sort((x, y) => y.total - x.total);
}

// Does the aggregation still count what it had counted at the time before?
const goesOn = (snapshots, i) => i > 0 && snapshots[i].clears === snapshots[i - 1].clears;

// Can it be said what came between the times? Not if a number has become less all the same, by
// trunc(@a, n), normalize() and others.
function differs(a, snapshots, lists) {
	return /^(count|sum|.*quantize)$/.test(a.fn) && lists.every(list => list.every((n, i) =>
		!goesOn(snapshots, i) || n >= list[i - 1]));
}

// What the first one goes on with is in another file: it has no change.
const isPart = snapshots => data.part && snapshots.length > 1 && goesOn(snapshots, 1);

const changes = (list, snapshots) => list.map((n, i) => goesOn(snapshots, i) ? n - list[i - 1]
	: i || !isPart(snapshots) ? n : 0);

const PART = ". The first is 0: the one before is in another file";

// Very many times are shown as fewer columns: the sum of what came, or the last that was printed.
function joined(snapshots) {
	const n = snapshots.length, step = Math.ceil(n / SNAPSHOTS);
	const ends = snapshots.map((s, i) => i).filter(i => (n - 1 - i) % step === 0);

	return { at: ends.map(i => snapshots[i]), join: (list, known) => ends.map((end, i) =>
		known ? sum(list.slice(i ? ends[i - 1] + 1 : 0, end + 1), x => x) : list[end]) };
}

function axis(snapshots) {
	const last = snapshots.length - 1;

	return el("p", { class: "axis" }, ...[...new Set([0, last >> 1, last])].map(i =>
		el("span", {}, clock(snapshots[i].at))));
}

// Moves along the times: by the pointer, and by arrow keys.
function columns(box, n, index, show) {
	let at = n - 1;

	function move(to) {
		at = Math.max(0, Math.min(n - 1, to));
		show(at);
	}
	box.setAttribute("tabindex", 0);
	box.addEventListener("mousemove", e => {
		const r = box.getBoundingClientRect();

		move(index((e.clientX - r.left) / r.width));
	});
	box.addEventListener("keydown", e => {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];

		if (by) {
			e.preventDefault();
			move(at + by);
		}
	});
}

function heat(title, snapshots, buckets, n) {
	const most = Math.max(1, largest(n, list => largest(list)));
	const rows = buckets.length, said = status();
	const picture = svg("svg", { viewBox: "0 0 " + snapshots.length + " " + rows, role: "img",
		preserveAspectRatio: "none", "aria-label": "Heat map" });
	const cursor = svg("rect", { class: "cursor", y: 0, width: 1, height: rows, x: -9 });
	const every = Math.ceil(rows / 24);
	const labels = el("div", { class: "labels" });

	picture.style.height = Math.max(rows * 14, 28) + "px";
	n.forEach((list, i) => list.forEach((count, x) => {
		if (count > 0)
			picture.append(svg("rect", { x, y: rows - 1 - i, width: 1, height: 1,
				"fill-opacity": (.12 + .88 * Math.sqrt(count / most)).toFixed(3) }));
	}));
	picture.append(cursor);
	for (let i = rows - 1; i >= 0; i--)
		labels.append(el("span", {}, i % every ? "" : bucketText(buckets[i])));
	columns(picture, snapshots.length, x => Math.floor(x * snapshots.length), x => {
		const column = n.map(list => list[x]);
		const best = Math.max(0, column.indexOf(largest(column)));

		cursor.setAttribute("x", x);
		said.textContent = clock(snapshots[x].at) + ": " + number(sum(column, v => v)) +
			" in all, most (" + number(column[best]) + ") in " + rangeText(buckets[best]);
	});
	return el("figure", { class: "heat" }, title ? el("figcaption", {}, title) : "",
		el("div", { class: "plot" }, labels, el("div", {}, picture, axis(snapshots))),
		el("div", { class: "below" },
		   el("span", { class: "legend" }, "1", ...[.12, .34, .56, .78, 1].map(o =>
			el("i", { class: "heat", style: "opacity:" + o })), number(most)), said));
}

// The keys whose name has the text; all without one.
function pickKeys(place, keys, draw) {
	let more = null, list = null;

	function fill(text) {
		const found = keys.filter(k => !text || k.text.toLowerCase().includes(text));

		list = el("div", { class: "figures" });
		place.replaceChildren(list);
		more = shortened(list, found.length, KEYS, i => list.append(draw(found[i])));
		return text ? found.length : 0;
	}
	searches.push(fill);
	fill("");
	return more;
}

function distribution(a) {
	const snapshots = a.snapshots, { at, join } = joined(snapshots), keys = byKey(a, snapshots);
	const times = el("div"), place = el("div"), parts = [], last = snapshots.length - 1;

	for (const k of keys) {
		k.buckets = scale(a.fn, k.rows.filter(Boolean).map(row => row.buckets));
		const n = snapshots.map((s, i) => counts(k.buckets, k.rows[i]));

		k.lists = k.buckets.map((b, i) => n.map(list => list[i]));
	}
	const known = keys.every(k => differs(a, snapshots, k.lists));

	if (last > 0) {
		for (const k of keys)
			k.shown = k.lists.map(list => join(known ? changes(list, snapshots) : list, known));
		pickKeys(times, keys, k => heat(k.text, at, k.buckets, k.shown));
		parts.push(el("p", { class: "note" }, known
			? "Each column is what came since the one before" +
				(isPart(snapshots) ? PART : "") + "."
			: "Each column is the aggregation as it was printed."), times,
			   el("h3", {}, known ? "In all" : "As printed last"));
	}
	pickKeys(place, keys, k => bars(k.text, k.buckets, k.lists.map(list => known
		? sum(changes(list, snapshots), x => x) : list[last])));
	parts.push(place);
	return parts;
}

// Numbers over time -----------------------------------------------------------

function series(a) {
	const all = a.snapshots, { at, join } = joined(all), keys = byKey(a, all), said = status();
	const of = k => all.map((s, i) => k.rows[i] ? Number(k.rows[i].value) : 0);
	const known = differs(a, all, keys.map(of)), top = keys.slice(0, SERIES), n = at.length;
	const lists = top.map(k => join(known ? changes(of(k), all) : of(k), known));
	const high = Math.max(1, largest(lists.flat())), low = 0 - largest(lists.flat(), v => -v);
	const picture = svg("svg", { viewBox: "0 0 " + (n - 1) + " 100", role: "img",
		preserveAspectRatio: "none", "aria-label": "Values over time" });
	const y = v => (100 - 98 * (v - low) / (high - low)).toFixed(2);
	const cursor = svg("line", { class: "cursor", y1: 0, y2: 100, x1: -9, x2: -9 });
	const names = top.map(k => el("b", {}));

	for (const v of [low, (low + high) / 2, high])
		picture.append(svg("line", { class: "grid", x1: 0, x2: n, y1: y(v), y2: y(v) }));
	lists.forEach((list, i) => picture.append(svg("polyline", { class: "s" + i,
		points: list.map((v, x) => x + "," + y(v)).join(" ") })));
	picture.append(cursor);
	columns(picture, n, x => Math.round(x * (n - 1)), x => {
		cursor.setAttribute("x1", x);
		cursor.setAttribute("x2", x);
		said.textContent = clock(at[x].at);
		names.forEach((b, i) => b.textContent = number(lists[i][x]));
	});
	return [el("p", { class: "note" }, (known ? "What came since the time before" +
		(isPart(all) ? PART : "") : "Values as printed") + (keys.length > SERIES ? "; the " + SERIES + " largest of " +
			plural(keys.length, "key") : "") + "."),
	el("figure", { class: "series" }, el("div", { class: "plot" },
		el("div", { class: "labels" }, el("span", {}, number(high)), el("span", {},
			number(low))), el("div", {}, picture, axis(at))),
	   el("p", { class: "legend" }, ...top.map((k, i) => el("span", {},
		el("i", { class: "s" + i }), k.text || a.fn, " ", names[i]))), said)];
}

function numbers(a) {
	const rows = a.snapshots[a.snapshots.length - 1].rows;
	const most = largest(rows, weight);
	const columns = keyColumns(a), cpus = new Set(rows.flatMap(r => (r.cpus || []).map(c => c.cpu)));

	columns.push(numberColumn(a.fn, row => row.value, /^(count|sum)$/.test(a.fn) ? most : 0));
	for (const cpu of [...cpus].sort((x, y) => x - y))
		columns.push(numberColumn("CPU " + cpu, row => {
			const c = row.cpus.find(x => x.cpu === cpu);

			return c ? c.value : undefined;
		}));
	return table(columns, rows, columns.length - 1 - cpus.size);
}

function aggregation(a) {
	const rows = a.snapshots.flatMap(s => s.rows.slice(0, 1));
	const stacks = a.snapshots.some(s => s.rows.some(r => r.keys.some(k => k && k["stack()"])));
	const parts = [];

	if (!rows.length)
		parts.push(el("p", { class: "note" }, "It has no keys."));
	else if (stacks)
		parts.push(...flame(a));
	else if (rows[0].buckets)
		parts.push(...distribution(a));
	else {
		if (a.snapshots.length > 1)
			parts.push(...series(a), el("h3", {}, "As printed last"));
		parts.push(numbers(a));
	}
	return parts;
}

// The page --------------------------------------------------------------------

const sections = [];

function section(title, about, ...parts) {
	const id = "s" + sections.length;

	sections.push(el("section", { id }, el("h2", {}, title, about ? el("small", {}, about) : ""),
		...parts));
	return id;
}

function problems() {
	if (!data.exit)
		data.problems.push({ type: "warning", message: "the records have no end: dtrace " +
			"was killed, or it still runs and the page can be loaded again" });
	if (data.bad)
		data.problems.push({ type: "warning", message: plural(data.bad, "line") +
			" could not be read" });
	if (!data.problems.length)
		return;
	section("Drops and errors", "", table([
		timeColumn(p => p),
		textColumn("kind", p => p.type),
		textColumn("message", p => p.message || ""),
	], data.problems, -1));
	sections[sections.length - 1].className = "problems";
}

function probeName(r) {
	const p = r.probe;

	return p ? [p.provider, p.module, p.function, p.name].join(":") : r.type;
}

function lines() {
	if (!data.lines.length)
		return;
	section("Output", plural(data.lines.length, "line"), table([
		timeColumn(l => l.r),
		{ name: "CPU", number: true, value: l => l.r.cpu === undefined ? -1 : l.r.cpu,
		  text: l => l.r.cpu === undefined ? "" : String(l.r.cpu) },
		textColumn("probe", l => probeName(l.r)),
		textColumn("text", l => l.text),
	], data.lines, -1));
	sections[sections.length - 1].classList.add("lines");
}

function facts() {
	const s = data.start || {}, host = s.host || {};
	const list = [
		["Host", host.nodename],
		["Kernel", host.release && host.release + " " + host.machine],
		["Began", s.time && String(s.time).replace("T", " ").replace(/\..*/, " UTC")],
		["Duration", data.first && ((data.last - data.first) / 1e9).toFixed(3) + " s"],
		["Process", s.target && String(s.target)],
		["Probes", s.probes !== undefined && number(s.probes)],
		["Drops", data.exit && data.exit.drops ? number(data.exit.drops) : ""],
		["Status", data.exit && data.exit.status ? String(data.exit.status) : ""],
		["Version", s.version && "dt " + s.version],
	];

	return el("dl", {}, ...list.filter(f => f[1]).map(([name, value]) =>
		el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

function program() {
	const s = data.start || {}, clauses = array(s.clauses), parts = [];

	for (const p of array(s.programs))
		parts.push(p.file ? el("p", { class: "note" }, p.file) : "",
			el("pre", {}, p.text + (p.truncated ? "\n..." : "")));
	if (clauses.length)
		parts.push(el("ol", {}, ...clauses.map(c => el("li", {}, array(c.descriptions).join(", "),
			el("small", {}, plural(c.probes, "probe"))))));
	return parts.length ? el("details", {}, el("summary", {}, "Program"), ...parts) : "";
}

function heading() {
	const s = data.start || {}, files = array(s.programs).map(p => p.file).filter(Boolean);
	const names = [...new Set(array(s.clauses).flatMap(c => array(c.descriptions)))].map(String);
	const text = names.filter(n => !/^(dtrace|tick|profile|:*)[^`]*(BEGIN|END|tick-.*)$/.test(n));

	if (files.length)
		return files.map(f => String(f).replace(/.*\//, "")).join(", ");
	return (text.length ? text : names).slice(0, 3).map(n => n.replace(/^:+/, "")).join(", ") ||
		"dtrace";
}

function page() {
	const records = document.getElementById("records");
	const found = el("output", {}), links = el("nav", { "aria-label": "Sections" });
	const field = el("input", { type: "search", placeholder: "Search (/)", "aria-label": "Search",
		input: () => { clearTimeout(timer); timer = setTimeout(search, 120); } });
	let timer = 0;

	function search() {
		const text = field.value.trim().toLowerCase();
		const n = searches.map(f => f(text)).reduce((x, y) => x + y, 0);

		found.textContent = text ? number(n) + " found" : "";
	}

	takeLines(records ? records.textContent : "");
	if (records)
		records.remove();
	problems();
	for (const a of data.aggregations.values()) {
		const most = largest(a.snapshots, s => s.rows.length);
		const about = a.fn + "(), " + plural(most, "key") +
			(a.snapshots.length > 1 ? ", printed " + a.snapshots.length + " times" : "");

		section("@" + (a.name === "_" ? "" : a.name), about, ...aggregation(a));
	}
	lines();
	for (const s of sections)
		links.append(el("a", { href: "#" + s.id }, s.querySelector("h2").firstChild.data));
	document.title = heading() + " \u2013 dtrace";
	document.body.prepend(el("header", {}, links, el("div", { class: "search" }, found, field)),
		el("main", {}, el("h1", {}, heading()), facts(), program(), ...sections,
			sections.length ? "" : el("p", { class: "note" }, "Nothing was recorded.")));
	document.addEventListener("keydown", e => {
		if (e.key === "/" && !/INPUT|SELECT/.test(e.target.tagName)) {
			e.preventDefault();
			field.focus();
		} else if (e.key === "Escape" && e.target === field) {
			field.value = "";
			search();
		}
	});
}

document.addEventListener("DOMContentLoaded", page);
