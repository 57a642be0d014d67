// SPDX-License-Identifier: GPL-2.0-or-later
// The picture of oformat=svg: a click widens a frame to the whole width, Escape undoes that; the
// field searches names. Without scripts the titles are what there is.
"use strict";
(() => {
	const inner = 1180, left = 10, label = 24, character = 6.7;
	const root = document.documentElement, status = document.querySelector(".status");
	const graphs = [...document.querySelectorAll(".graph")].map(g =>
		[...g.querySelectorAll("g")].map(g => {
			const [title, rect, text] = g.children;
			const [, name, numbers] = /^(.*): ([^:]*)$/s.exec(title.textContent);
			return { g, rect, text, name, numbers, x: +rect.getAttribute("x"),
				 y: +rect.getAttribute("y"), w: +rect.getAttribute("width") };
		}));

	function zoom(boxes, to) {
		const scale = inner / to.w;

		for (const b of boxes) {
			const below = b.y > to.y && b.x <= to.x + .1 && b.x + b.w >= to.x + to.w - .1;
			const x = below ? left : left + (b.x - to.x) * scale;
			const w = below ? inner : b.w * scale;
			const name = b.name.replace(/^vmlinux`/, "");

			b.g.style.display =
				!below && (b.y > to.y || x < left - .5 || x + w > left + inner + .5)
					? "none" : "";
			b.rect.setAttribute("x", x);
			b.rect.setAttribute("width", w);
			b.text.setAttribute("x", x + 3);
			b.text.textContent = w < label ? "" : name.slice(0, (w - 6) / character);
		}
	}

	function search(words) {
		const text = words.toLowerCase();
		let count = 0;

		for (const b of graphs.flat()) {
			const found = text !== "" && b.name.toLowerCase().includes(text);

			b.g.classList.toggle("match", found);
			count += found;
		}
		status.textContent = text === "" ? "" : count + " frames match";
	}

	for (const boxes of graphs)
		for (const b of boxes) {
			b.g.addEventListener("click", () => zoom(boxes, b));
			b.g.addEventListener("mouseenter", () => {
				status.textContent = b.name + ": " + b.numbers;
			});
		}
	root.addEventListener("keydown", e => {
		if (e.key === "Escape")
			graphs.forEach(boxes => zoom(boxes, boxes[0]));
	});
	if (!graphs.length)
		return;
	const place = document.createElementNS(root.namespaceURI, "foreignObject");
	const field = document.createElementNS("http://www.w3.org/1999/xhtml", "input");

	for (const [name, value] of Object.entries({ x: 1010, y: 4, width: 180, height: 28 }))
		place.setAttribute(name, value);
	field.setAttribute("type", "search");
	field.setAttribute("placeholder", "Search");
	field.setAttribute("aria-label", "Search");
	field.addEventListener("input", () => search(field.value));
	place.append(field);
	root.append(place);
})();
