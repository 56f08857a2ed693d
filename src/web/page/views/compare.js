/** Several runs in one picture. */

import { h, heading, put } from "../parts/dom.js";
import { figure } from "../parts/figure.js";
import { table } from "../parts/table.js";
import { get, listen } from "../api.js";
import { COLUMNS } from "./runs.js";
import { guard, troubles } from "../parts/guard.js";
/** @import {View} from "../types.js" */

/** @type {View} */
export function compare(root, page) {
	const names = [...new Set(page.query.getAll("name"))];
	page.title("Compare");
	const picture = figure({ height: 300 });
	const trouble = troubles();
	const missing = troubles();
	const rows = table("The compared runs", COLUMNS, (run) => run.name);
	put(root,
		heading(names.length === 1 ? names[0] : `${names.length} runs compared`, "The mean over a run's seeds and, for few runs, their spread.",
			h("a", { href: "#/runs" }, "Runs")),
		missing, trouble, picture.element, rows.element);

	const all = new Map();
	const has = (name) => [...all.values()].some((run) => run.name === name || run.sweep === name);
	const add = (run) => (names.includes(run.name) || names.includes(run.sweep)) && all.set(run.name, run);
	let stale, busy;
	async function draw() {
		rows.update([...all.values()]);
		const none = names.filter((name) => !has(name));
		const why = none.length ? `There is no run ${none.join(" or ")}.` : "";
		if (missing.textContent !== why) missing.textContent = why;
		stale = true;
		await 0;
		while (stale && !busy) {
			busy = true;
			stale = false;
			const there = names.filter(has);
			picture.element.hidden = !there.length;
			await guard(trouble, async () => there.length && picture.show(get("/api/figure", { name: there }, page.left)));
			busy = false;
		}
	}
	listen("/api/runs/events", {}, {
		runs: ({ runs }) => {
			all.clear();
			runs.forEach(add);
			draw();
		},
		run: (run) => add(run) && draw(),
		gone: ({ name }) => all.delete(name) && draw(),
	}, page.left);
}
