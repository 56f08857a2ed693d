/** The moves of a game in two columns, each a click away, and buttons for one step. */

import { button, h, quiet, refill } from "./dom.js";

/** @param {(ply: number) => void} go to the position after `ply` moves */
export function moveList(go) {
	let at = 0;
	const list = h("ol", { class: "moves", "aria-label": "Moves" });
	const back = quiet("Back", () => go(at - 1));
	const forward = quiet("Forward", () => go(at + 1));
	return {
		element: list, back, forward,
		/** @param {string[]} moves @param {number} now how many of them are on the board */
		update(moves, now) {
			at = now;
			back.disabled = now === 0;
			forward.disabled = now >= moves.length;
			const entry = (ply) => button(moves[ply - 1], () => go(ply), {
				"aria-current": ply === now ? "true" : null, "aria-label": `Move ${ply}: ${moves[ply - 1]}`, class: ply > now ? "undone" : null,
			});
			const pairs = [];
			for (let ply = 1; ply <= moves.length; ply += 2) pairs.push(h("li", null, entry(ply), ply < moves.length && entry(ply + 1)));
			const held = list.contains(document.activeElement);
			refill(list, pairs.length ? pairs : h("li", { class: "none" }, "No moves yet."));
			const current = list.querySelector("[aria-current]");
			if (!(current instanceof HTMLElement)) return;
			if (held) current.focus();
			if (list.scrollHeight > list.clientHeight) {
				list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
			}
		},
	};
}
