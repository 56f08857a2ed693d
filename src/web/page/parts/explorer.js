/** A board with what an agent thinks of every move next to the truth, and the same as a table. */

import { button, fill, h, refill, segments } from "./dom.js";
import { badge, capital, count, percent, sideName, signed, worth } from "./words.js";
import { board, token } from "./board.js";
import { table } from "./table.js";
/** @import {Game, HintMove, Note, Opinion, Position} from "../types.js" */

/** Notes of exact values alone, by move. @param {HintMove[]} moves @returns {Map<string, Note>} */
export const exactNotes = (moves) => new Map(moves.map((one) => [one.move, {
	text: typeof one.score === "number" ? signed(one.score, 0) : undefined, truth: one.value, best: one.optimal,
	words: `${worth(one.value ?? "draw", one.score, one.distance)}${one.optimal ? ", best" : ""}`,
}]));

/** What an agent's numbers of moves are called; preferences are not values. */
export const NUMBERS = {
	values: { head: "Expects", says: "agent expects", about: "what it expects, in its rewards", past: "What it expected of every move" },
	preferences: { head: "Preference", says: "agent's preference", about: "its preference, not a value: it plays what it prefers to all others", past: "Its preferences among the moves" },
};

/** @param {Game} game @param {(move: string) => void} choose */
export function explorer(game, choose) {
	let mode = "both";
	let redraw = () => {};
	const squares = board(game, choose);
	const turn = h("p", { class: "turn" });
	const modes = segments("What the squares show", [["agent", "Agent"], ["both", "Both"], ["truth", "Truth"]], mode, (to) => {
		mode = to;
		redraw();
	});
	const key = h("ul", { class: "key" });
	const head = h("span");
	/** @type {ReturnType<typeof table<Opinion>>} */
	const rows = table("Moves of this position", [
		{ name: "Move", kind: "name", by: (row) => row.move, show: (row) => button(row.move, () => choose(row.move), { class: "link" }) },
		{ name: head, kind: "number", by: (row) => row.q, show: (row) => signed(row.q, 3) },
		{ name: "Plays", kind: "number", about: "How likely it is to play the move", by: (row) => row.probability, show: (row) => percent(row.probability, 0) },
		{ name: "Visits", kind: "number middle", about: "How often it learned about the move", by: (row) => row.visits, show: (row) => count(row.visits) },
		{ name: "Truth", about: "What the move is worth under perfect play, to the side to move", by: (row) => (row.value ? ["loss", "draw", "win"].indexOf(row.value) : null), show: (row) => [badge(row.value, row.value ? worth(row.value, row.score, row.distance) : row.rate === undefined ? "not known" : `≈ ${percent(row.rate, 0)}`), row.mistake && h("strong", { class: "mistake" }, " mistake")] },
	], (row) => row.move);
	fill(rows.body, { onpointerover: (event) => squares.point(event.target.closest("tr")?.dataset.key), onpointerleave: () => squares.point() });

	return {
		/** What the agent's numbers are. @type {"values"|"preferences"} */
		numbers: "values",
		squares, key, rows: rows.element, head: h("div", { class: "board-head" }, turn, modes), board: squares.element,
		/** @param {Position} position @param {Opinion[]} all @param {any} worthOf what the position is worth to the side to move, in words @param {string[]|null} [before] the rows before the last move */
		show(position, all, worthOf, before) {
			redraw = () => this.show(position, all, worthOf);
			const words = NUMBERS[this.numbers];
			head.textContent = words.head;
			head.title = capital(words.about);
			const [agent, truth] = [mode !== "truth", mode !== "agent"];
			/** @type {Map<string, Note>} */
			const notes = new Map();
			const most = Math.max(0, ...all.map((row) => row.probability ?? 0));
			const digits = all.some((row) => Math.abs(row.q ?? 0) >= 10) ? 1 : 2;
			for (const row of all) {
				const said = row.q === null ? "–" : signed(row.q, digits);
				const guess = row.rate === undefined ? null : percent(row.rate, 0);
				notes.set(row.move, {
					// On small squares every character counts.
					text: agent ? (game.width > 5 ? said.replace("0.", ".") : said) : guess, bar: agent ? row.probability : null,
					best: agent && (row.probability ?? 0) > 0 && row.probability === most, truth: truth && row.value, mistake: truth && row.mistake,
					words: [agent && row.q !== null && `${words.says} ${said}`, agent && row.probability !== null && `plays it ${percent(row.probability, 0)}`,
						truth && row.value && `truth ${worth(row.value, row.score, row.distance)}`, truth && guess && `estimate ${guess}`, truth && row.mistake && "mistake"].filter(Boolean).join(", "),
				});
			}
			const isOver = position.outcome !== null;
			squares.show(position, { playable: !isOver, notes, before });
			const mover = sideName(position.to_move);
			refill(turn, isOver ? h("strong", null, position.result) : [token(game, position.to_move), h("strong", null, `${mover} to move`), worthOf]);
			refill(key,
				agent && h("li", null, h("b", null, signed(0.43)), ` ${words.about}`),
				agent && h("li", null, h("i", { class: "swatch likely" }), "how likely it is to play it"),
				truth && (all.some((row) => row.value)
					? [h("li", null, badge("win", "won"), badge("draw", "drawn"), badge("loss", "lost"), ` for ${mover}, if both play perfectly`),
						h("li", null, h("i", { class: "swatch wrong" }, "?"), "a mistake that it makes")]
					: h("li", null, "The truth is not known here.")));
			key.hidden = rows.element.hidden = isOver;
			rows.update(all);
		},
	};
}
