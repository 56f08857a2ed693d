/** The moves of a game in two columns, each a click away. */

import { h, refill } from "./dom.js";

/** @param {(ply: number) => void} go to the position after so many moves */
export function moveList(go) {
	const list = h("ol", { class: "moves", "aria-label": "Moves" });
	return {
		element: list,
		/** @param {string[]} moves @param {number} now how many of them are on the board */
		update(moves, now) {
			const entry = (ply) => {
				return h("button", {
					type: "button", onclick: () => go(ply), "aria-current": ply === now ? "true" : null,
					"aria-label": `Move ${ply}: ${moves[ply - 1]}`, class: ply > now ? "undone" : null,
				}, moves[ply - 1]);
			};
			const pairs = [];
			for (let ply = 1; ply <= moves.length; ply += 2) pairs.push(h("li", null, entry(ply), ply < moves.length && entry(ply + 1)));
			refill(list, pairs.length ? pairs : h("li", { class: "none" }, "No moves yet."));
			const current = list.querySelector("[aria-current]");
			if (current instanceof HTMLElement && list.scrollHeight > list.clientHeight) {
				list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
			}
		},
	};
}
