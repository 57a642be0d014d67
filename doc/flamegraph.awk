#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Draws a flame graph from folded stacks: lines "outermost;...;innermost value", as dtrace prints
# them with -x oformat=folded. Needs only a POSIX awk; a browser shows the result.
#
#	awk -f flamegraph.awk [-v title=TEXT] [-v unit=TEXT] [-v width=PIXELS] \
#		stacks.folded >stacks.svg
#
# A box is a function, above the function that called it. Its width is its share of the values.
# The pointer shows the full name and the value; a click widens a box to the whole width.
# Functions of the kernel proper (vmlinux) are orange, without that word in their boxes.

# Other lines (headers, empty lines, values below 1) are not stacks.
/[^ ] [1-9][0-9]*$/ {
	value = $NF
	sub(/ [0-9]+$/, "")
	total += value
	node = 0
	frames = split($0, frame, ";")
	deepest = frames > deepest ? frames : deepest
	for (i = 1; i <= frames; i++) {
		if (!((node, frame[i]) in child)) {
			child[node, frame[i]] = ++nodes
			name[nodes] = frame[i]
			kids[node] = kids[node] " " nodes
		}
		node = child[node, frame[i]]
		sum[node] += value
	}
}

# Other users choose the names. What is not ASCII becomes "?"; bytes that this awk does not match
# because they are not valid in its locale are characters of ISO 8859-1.
function escape(text) {
	gsub(/[^ -~]/, "?", text)
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	gsub(/"/, "\\&quot;", text)
	return text
}

function colour(text,    i, mix) {
	for (i = 1; i <= length(text) && i <= 40; i++)
		mix = (mix * 31 + index(letters, substr(text, i, 1))) % 997
	if (text ~ /^vmlinux`/)
		return sprintf("rgb(%d,%d,60)", 225 + mix % 25, 115 + mix % 45)
	return sprintf("rgb(%d,%d,90)", 235 + mix % 20, 190 + mix % 50)
}

function box(text, value, x, level, fill,    w, label) {
	w = value / total * inner
	if (w < 0.2)
		return
	label = text
	sub(/^vmlinux`/, "", label)
	printf "<g onclick=\"zoom(this)\"><title>%s: %d %s, %.2f%%</title>", \
		escape(text), value, unit, 100 * value / total
	printf "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"15\" fill=\"%s\"/>", \
		x, height - 30 - level * 16, w, fill
	printf "<text x=\"%.2f\" y=\"%d\">%s</text></g>\n", x + 3, height - 19 - level * 16, \
		w < 25 ? "" : escape(substr(label, 1, (w - 6) / 6.5))
}

# Draws the functions that a node called, in alphabetical order.
function draw(node, x, level,    list, n, i, j, kid) {
	n = split(kids[node], list, " ")
	for (i = 2; i <= n; i++) {
		kid = list[i]
		for (j = i; j > 1 && name[list[j - 1]] > name[kid]; j--)
			list[j] = list[j - 1]
		list[j] = kid
	}
	for (i = 1; i <= n; i++) {
		kid = list[i]
		box(name[kid], sum[kid], x, level, colour(name[kid]))
		draw(kid, x, level + 1)
		x += sum[kid] / total * inner
	}
}

END {
	if (!total) {
		print "flamegraph.awk: there are no stacks in the input" | "cat >&2"
		close("cat >&2")
		exit 1
	}
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.`+"
	title = title == "" ? "Flame graph" : title
	unit = unit == "" ? "samples" : unit
	width = width < 200 ? 1200 : int(width)
	inner = width - 20
	height = deepest * 16 + 86
	print "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" " \
		"viewBox=\"0 0 %d %d\">\n", width, height, width, height
	print "<style>text { font: 11px monospace; pointer-events: none }"
	print "rect { stroke: white; stroke-width: 0.5 } g { cursor: pointer }</style>"
	print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
	printf "<text x=\"10\" y=\"22\" style=\"font-size: 16px\">%s</text>\n", escape(title)
	box("all", total, 10, 0, "rgb(220,220,220)")
	draw(0, 10, 1)
	print "<script><![CDATA["
	print "const boxes = [...document.querySelectorAll('g')].map(g => {"
	print "  const [title, rect, text] = g.children;"
	print "  return { g, rect, text, x: +rect.getAttribute('x'), y: +rect.getAttribute('y'),"
	print "    w: +rect.getAttribute('width'),"
	print "    name: title.textContent.replace(/: [^:]*$/, '').replace(/^vmlinux`/, '') };"
	print "});"
	print "function zoom(g) {"
	print "  const to = boxes.find(b => b.g === g), scale = " inner " / to.w;"
	print "  for (const b of boxes) {"
	print "    const below = b.y > to.y && b.x <= to.x + .1 && b.x + b.w >= to.x + to.w - .1;"
	print "    const x = below ? 10 : 10 + (b.x - to.x) * scale;"
	print "    const w = below ? " inner " : b.w * scale;"
	print "    b.g.style.display = x < 9.5 || x + w > " inner " + 10.5 ? 'none' : '';"
	print "    b.rect.setAttribute('x', x); b.rect.setAttribute('width', w);"
	print "    b.text.setAttribute('x', x + 3);"
	print "    b.text.textContent = w < 25 ? '' : b.name.slice(0, (w - 6) / 6.5);"
	print "  }"
	print "}"
	print "]]></script>"
	print "</svg>"
}
