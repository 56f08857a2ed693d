/** A table whose columns sort by a click on their heads. */

import { button, h } from "./dom.js";
/** @import {Column} from "../types.js" */

/** @template T @param {string} caption for those who cannot see the page @param {Column<T>[]} columns @param {(row: T) => string} key unique to a row @param {{column: number, down: boolean}} [order] how it is sorted */
export function table(caption, columns, key, order = { column: -1, down: false }) {
	/** @type {T[]} */
	let rows = [];
	const heads = columns.map((column, i) => h("th", { scope: "col", class: column.kind, title: column.about }, column.by
		? button([column.name, h("span", { class: "arrow", "aria-hidden": "true" })], () => sort(i))
		: column.name));
	const body = h("tbody");
	const inner = h("table", null, h("caption", { class: "unseen" }, caption), h("thead", null, h("tr", null, heads)), body);
	// A wide table scrolls in it, with the keyboard, too.
	const element = h("div", { class: "table-box", role: "group", "aria-label": caption, tabindex: 0 }, inner);

	function sort(column) {
		const numbers = rows.some((row) => typeof columns[column].by?.(row) === "number");
		Object.assign(order, order.column === column ? { down: !order.down } : { column, down: numbers });
		draw();
	}

	const controls = (row) => [...(row?.querySelectorAll("a, button, input") ?? [])];

	function draw() {
		heads.forEach((head, i) => (head.ariaSort = i !== order.column ? null : order.down ? "descending" : "ascending"));
		const by = columns[order.column]?.by;
		const sorted = [...rows];
		if (by) {
			sorted.sort((a, b) => {
				const [u, v] = [by(a) ?? null, by(b) ?? null];
				if (u === null || v === null) return Number(u === null) - Number(v === null);
				const way = typeof u === "number" && typeof v === "number" ? u - v : String(u).localeCompare(String(v), "en", { numeric: true });
				return order.down ? -way : way;
			});
		}
		const at = /** @type {Element} */ (document.activeElement);
		const row = at?.closest("tr");
		const focused = row?.dataset.key;
		const place = controls(row).indexOf(at);
		// A row that stays the same stays there: it may be in use.
		sorted.forEach((row, i) => {
			const now = h("tr", { "data-key": key(row) }, columns.map((column) => h("td", { class: column.kind }, column.show(row))));
			const old = body.rows[i];
			if (!old) body.append(now);
			else if (!old.isEqualNode(now)) old.replaceWith(now);
		});
		while (body.rows[sorted.length]) body.deleteRow(-1);
		if (place >= 0 && !at.isConnected) {
			const row = [...body.rows].find((one) => one.dataset.key === focused);
			(controls(row)[place] ?? element).focus({ preventScroll: true });
		}
	}

	return {
		element,
		body,
		update(now) {
			rows = now;
			draw();
		},
	};
}
