/** Panels that share their horizontal axis, the pointer and the zoom. */

import { button, h, refill } from "./dom.js";
import { chart } from "./chart.js";
/** @import {Figure} from "../types.js" */

/** @param {{height?: number}} [how] */
export function figure(how = {}) {
	/** @type {ReturnType<typeof chart>[]} */
	let charts = [];
	/** @type {[number, number]|null} */
	let zoom = null;
	const all = button("Show all", () => {
		setZoom(null);
		panels.querySelector("div[tabindex]")?.focus();
	}, { class: "quiet", hidden: true });
	const title = h("p");
	const caption = h("p", { class: "muted small" });
	const panels = h("div", { class: "panels" });
	const element = h("div", { class: "figure" }, h("div", { class: "figure-head" }, title, all), panels, caption);

	function setZoom(to) {
		zoom = to;
		all.hidden = !zoom;
		for (const one of charts) one.setZoom(zoom);
	}

	let round = 0;
	return {
		element,
		/** Shows what is answered, unless something else was asked for meanwhile. @param {Promise<Figure>} answer */
		async show(answer) {
			const mine = ++round;
			const now = await answer;
			if (mine === round) this.update(now);
		},
		/** @param {Figure} now */
		update(now) {
			const wanted = now.groups.flat();
			const marks = [...new Set(wanted.flatMap((panel) => panel.marks.map((mark) => mark.name)).filter(Boolean))];
			title.textContent = [now.subtitle, ...marks.map((name) => `dotted line: ${name}`)].filter(Boolean).join("; ");
			caption.textContent = now.caption;
			caption.hidden = !now.caption;
			if (charts.length !== wanted.length) {
				charts = wanted.map((panel) => chart({
					label: `${panel.title}, ${panel.y.label} by ${now.x.label}`,
					height: how.height,
					onpoint: (x) => charts.forEach((one) => one.setCursor(x)),
					onzoom: setZoom,
				}));
				let i = 0;
				refill(panels, now.groups.map((group) => h("div", { class: "panel-row" }, group.map(() => charts[i++].element))));
				zoom = null;
				all.hidden = true;
			}
			wanted.forEach((panel, i) => charts[i].update(panel, now.x));
		},
	};
}
