/** Which view is seen: `#/view?what=which`. The address has everything that is needed to see it again. */

import { h, refill } from "./parts/dom.js";
import { address } from "./parts/words.js";
import { runs } from "./views/runs.js";
import { run } from "./views/run.js";
import { compare } from "./views/compare.js";
import { inside } from "./views/inside.js";
import { play } from "./views/play.js";
import { match } from "./views/match.js";
import { solve } from "./views/solve.js";
/** @import {View} from "./types.js" */

/** @type {Object<string, View>} */
const VIEWS = { runs, run, compare, inside, play, match, solve };
/** @type {Object<string, string>} which entry of the menu a view belongs to */
const PARENT = { run: "runs", compare: "runs", inside: "runs" };

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const announcer = /** @type {HTMLElement} */ (document.getElementById("announcer"));

let seen = "";
let leaving = new AbortController();

function read() {
	const [path, text = ""] = location.hash.replace(/^#\/?/, "").split("?");
	return { view: path in VIEWS ? path : "runs", query: new URLSearchParams(text) };
}

function show() {
	if (location.hash === "#main") return;
	const { view, query } = read();
	const first = seen === "";
	leaving.abort();
	leaving = new AbortController();
	seen = view;
	const chosen = PARENT[view] ?? view;
	for (const link of document.querySelectorAll("nav a")) {
		if (link.getAttribute("href") === `#/${chosen}`) link.setAttribute("aria-current", "page");
		else link.removeAttribute("aria-current");
	}
	const root = h("div", { class: `view ${view}` });
	refill(main, root);
	VIEWS[view](root, {
		query,
		left: leaving.signal,
		title: (text) => (document.title = `${text} · lab`),
		announce,
		// The address changes without a step back to every move.
		set: (values) => {
			const all = { ...Object.fromEntries(read().query), ...values };
			history.replaceState(null, "", address(view, all));
		},
	});
	if (!first) {
		scrollTo(0, 0);
		main.focus({ preventScroll: true });
	}
}

/** @param {string} text */
function announce(text) {
	// The same words twice are said twice.
	announcer.textContent = announcer.textContent === text ? `${text}\u00a0` : text;
}

document.querySelector(".skip")?.addEventListener("click", (event) => {
	event.preventDefault();
	main.focus();
});
addEventListener("hashchange", show);
show();
