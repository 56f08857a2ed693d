/** Where an agent errs, and how it is beaten: each a click away. */

import { MUTED, button, h, quiet, refill } from "./dom.js";
import { badge, count, percent, sideName, splitMoves, things } from "./words.js";
import { thumbnail, token } from "./board.js";
/** @import {Game, Mistakes, Side} from "../types.js" */

/** @param {Game} game @param {(line: string[], ply: number) => void} go to the position of a line */
export function mistakeList(game, go) {
	const words = h("p", MUTED);
	const list = h("ol", { class: "mistakes" });

	/** The rows of a position in the game's notation. @param {string} text */
	function rowsOf(text) {
		const stones = text.split(" ")[0].replaceAll("/", "").replaceAll("-", ".");
		return Array.from({ length: game.height }, (_, row) => stones.slice(row * game.width, (row + 1) * game.width));
	}

	return {
		element: h("div", { class: "errs" }, words, list),
		/** @param {Mistakes} found */
		update(found) {
			const player = sideName(found.side);
			words.textContent = found.mistaken === 0
				? `At this checkpoint the agent makes no mistake as ${player}, in any of ${things(found.positions, "position")} that games against ${found.opponent} reach.`
				: `As ${player} against ${found.opponent} it errs in ${count(found.mistaken)} of ${things(found.positions, "position")}. The costliest come first: how often games get there times what the error gives away.`;
			refill(list, found.mistakes.slice(0, 24).map((one) => {
				const rare = (rate) => percent(rate, rate < 0.001 ? 3 : 1);
				return h("li", null, button([
					thumbnail(game, rowsOf(one.text), one.played[0]),
					h("span", { class: "mistake-words" },
						h("span", null, "plays ", one.played.map((each, i) => [i > 0 && " or ", h("strong", null, each.move), " ", badge(each.value)])),
						h("span", null, `better: ${one.best.slice(0, 4).join(", ")} `, badge(one.value)),
						h("span", { class: "muted small" }, `in ${rare(one.often)} of games, costs ${rare(one.cost)}`)),
				], () => {
					const line = splitMoves(one.moves);
					go(line, line.length);
				}, { class: "card" }));
			}));
			list.hidden = found.mistakes.length === 0;
		},
	};
}

/** @param {Game} game @param {(line: string[], ply: number) => void} go to the position of a line */
export function losingLine(game, go) {
	const element = h("div", { class: "line" });
	return {
		element,
		/** @param {{mover: Side, move: string, probability: number|null}[]|null} line @param {Side} side the agent's */
		update(line, side) {
			const all = (line ?? []).map((one) => one.move);
			refill(element, h("h2", null, "The line that beats it"), line === null
				? h("p", null, badge("win", `None. Nobody can beat this checkpoint as ${sideName(side)}.`))
				: [h("ol", { class: "line-moves" }, line.map((one, i) => h("li", null, button(
					[token(game, one.mover), ` ${one.move}`, one.probability !== null && one.probability < 1 && h("small", MUTED, ` ${percent(one.probability, 0)}`)],
					() => go(all, i + 1), { class: "chip" })))),
				quiet("Play it from the start", () => go(all, 0))]);
		},
	};
}
