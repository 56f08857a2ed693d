/** Which view is seen: `#/view?what=which`. The address has everything that is needed to see it again. */

import { SILENT } from "./api.js";
import { h, refill } from "./parts/dom.js";
import { troubles } from "./parts/guard.js";
import { address } from "./parts/words.js";
/** @import {View} from "./types.js" */

/** Each is what its file exports under its name. */
const VIEWS = ["runs", "run", "compare", "inside", "play", "match", "solve"];
/** @type {Object<string, string>} which entry of the menu a view belongs to */
const PARENT = { run: "runs", compare: "runs", inside: "runs" };

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const announcer = /** @type {HTMLElement} */ (document.getElementById("announcer"));

let seen = "";
let leaving = new AbortController();

function read() {
	const [path, text = ""] = location.hash.replace(/^#\/?/, "").split("?");
	return { view: path || "runs", query: new URLSearchParams(text) };
}

/** @param {HashChangeEvent} [event] */
async function show(event) {
	if (seen && location.hash === "#main") return;
	/** How far down it was left; null if it is new. @type {number?} */
	const place = history.state;
	history.replaceState(place ?? 0, "");
	const { view, query } = read();
	const first = seen === "";
	leaving.abort();
	leaving = new AbortController();
	const { signal } = leaving;
	seen = view;
	const chosen = PARENT[view] ?? view;
	for (const link of document.querySelectorAll("nav a")) link.ariaCurrent = link.hash === `#/${chosen}` ? "page" : null;
	document.title = "lab";
	const fail = (why) => refill(main, troubles(why));
	if (!VIEWS.includes(view)) return fail("No such page.");
	// It is fetched when it is first seen.
	/** @type {View?} */
	const start = await import(`./views/${view}.js`).then((all) => all[view], () => null);
	if (signal.aborted) return;
	if (!start) return fail(SILENT);
	const root = h("div", { class: `view ${view}` });
	refill(main, root);
	start(root, {
		query,
		left: signal,
		title: (text) => (document.title = `${text} · lab`),
		announce: (text) => !signal.aborted && announce(text),
		// The address changes without a step back to every move.
		set: (values) => {
			if (signal.aborted) return;
			const all = { ...Object.fromEntries(read().query), ...values };
			history.replaceState(history.state, "", address(view, all));
		},
	});
	if (!first) {
		scrollTo(0, place ?? 0);
		const led = place !== null && [...main.querySelectorAll("a")].find((link) => link.href === event?.oldURL);
		(led || main).focus({ preventScroll: true });
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
// What hides or is disabled leaves the focus to the board.
main.addEventListener("focusout", ({ target }) => setTimeout(() => {
	if (document.activeElement === document.body && (target.disabled || !target.checkVisibility())) main.querySelector(".square[tabindex='0']")?.focus({ preventScroll: true });
}));
addEventListener("hashchange", show);
const keep = () => history.replaceState(scrollY, "");
addEventListener("scrollend", keep);
addEventListener("click", keep, true);
show();
