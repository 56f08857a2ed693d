/** Several runs in one picture. */

import { h, heading, put } from "../parts/dom.js";
import { figure } from "../parts/figure.js";
import { table } from "../parts/table.js";
import { get } from "../api.js";
import { COLUMNS } from "./runs.js";
import { guard, troubles } from "../parts/guard.js";
/** @import {View} from "../types.js" */

/** @type {View} */
export function compare(root, page) {
	const names = [...new Set(page.query.getAll("name"))];
	page.title("Compare");
	const picture = figure({ height: 300 });
	const trouble = troubles();
	const noPicture = troubles();
	const rows = table("The compared runs", COLUMNS, (run) => run.name);
	put(root,
		heading(names.length === 1 ? names[0] : `${names.length} runs compared`, "The mean over a run's seeds and, for few runs, their spread.",
			h("a", { href: "#/runs" }, "Runs")),
		noPicture, picture.element, trouble, rows.element);

	guard(noPicture, () => picture.show(get("/api/figure", { name: names }, page.left)));
	guard(trouble, async () => {
		const { runs } = await get("/api/runs", {}, page.left);
		rows.update(runs.filter((run) => names.includes(run.name) || (run.sweep !== null && names.includes(run.sweep))));
	});
}
