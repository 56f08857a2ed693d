/** What any position is worth under perfect play, as far as the time allows. */

import { MUTED, button, h, heading, pulse, put, quiet, refill } from "../parts/dom.js";
import { badge, capital, count, duration, sideName, signed, things, worth } from "../parts/words.js";
import { gamePicker } from "../parts/agent.js";
import { board } from "../parts/board.js";
import { exactNotes } from "../parts/explorer.js";
import { guard, troubles } from "../parts/guard.js";
import { moveList } from "../parts/moves.js";
import { setup } from "../parts/setup.js";
import { table } from "../parts/table.js";
import { Trail } from "../parts/trail.js";
import { game as findGame, stream } from "../api.js";
/** @import {Position, View} from "../types.js" */

/** @type {View} */
export function solve(root, page) {
	page.title("Solve");
	const trail = new Trail(page.query);
	/** @type {Position|null} */
	let now = null;
	/** @type {AbortController|null} */
	let work = null;
	let round = 0;
	page.left.addEventListener("abort", () => work?.abort());

	/** @type {ReturnType<typeof board>|null} */
	let squares = null;
	const place = h("div");
	const turn = h("p", { class: "turn" });
	const trouble = troubles();
	const progress = h("span", MUTED);
	const stop = quiet("Stop", () => work?.abort());
	const again = button("Solve", () => find(), { class: "primary", hidden: true });
	const thinking = h("div", { class: "thinking", hidden: true }, pulse(), progress, stop);
	const first = quiet("Start", () => {
		trail.begin(trail.game);
		to(0);
	});
	const list = moveList(to);
	const truth = h("div");
	const rows = table("Moves", [
		{ name: "Move", kind: "name", by: (move) => move.move, show: (move) => button(move.move, () => make(move.move), { class: "link" }) },
		{ name: "Worth", by: (move) => ["loss", "draw", "win"].indexOf(move.value ?? ""), show: (move) => badge(move.value) },
		{ name: "Score", kind: "number", by: (move) => move.score, show: (move) => signed(move.score, 0) },
		{ name: "Ends in", about: "Moves to the end", kind: "number", by: (move) => move.distance, show: (move) => count(move.distance) },
		{ name: "Best", show: (move) => (move.optimal ? h("strong", null, "best") : "") },
	], (move) => move.move);
	const bestLine = h("div", { class: "line" });
	const texts = setup(trail, () => now?.text ?? "", (isOther) => (isOther ? sit() : to(trail.at)));
	const games = gamePicker(() => trail.game, (chosen) => {
		trail.begin(chosen);
		sit();
	});

	put(root,
		heading("Solve", "What every move of a position is worth if both sides play perfectly. Click squares to make moves, or paste a position."),
		h("div", { class: "play-grid" },
			h("section", { class: "at-board", "aria-label": "Board" }, h("div", { class: "board-head" }, turn), place, thinking, trouble),
			h("section", { class: "beside", "aria-label": "Solution" }, games,
				h("div", { class: "bar tight" }, first, list.back, list.forward, again), list.element, truth, rows.element, bestLine, texts)));

	async function sit() {
		/** @type {any} */ (games.lastChild).value = trail.game;
		const sits = await guard(trouble, async () => {
			squares = board(await findGame(trail.game), make);
			refill(place, squares.element);
		});
		if (sits) await to(trail.at);
	}

	const make = (move) => to(trail.make(move));

	async function to(ply) {
		if (!squares) return sit();
		const mine = ++round;
		work?.abort();
		work = null;
		thinking.hidden = again.hidden = true;
		const came = await guard(trouble, async () => {
			const position = await trail.position(ply);
			if (mine !== round) return;
			const before = now?.game === trail.game ? now.rows : null;
			now = position;
			trail.at = ply;
			page.set({ position: null, ...trail.asked() });
			show(null, before);
			if (position.outcome === null) find();
			else page.announce(now.result ?? "The game is over.");
		});
		if (!came && mine === round) again.hidden = now?.outcome !== null;
	}

	async function find() {
		work?.abort();
		const mine = new AbortController();
		work = mine;
		again.hidden = true;
		refill(truth);
		progress.textContent = "Searching";
		const late = setTimeout(() => (thinking.hidden = work !== mine), 200);
		let found = false;
		await guard(trouble, () => stream("/api/solve", trail.asked(), {
			waiting: () => (progress.textContent = "Waiting for a free place"),
			progress: (data) => (progress.textContent = `Searching: ${count(data.done)} positions, ${duration(data.seconds)}`),
			solved: (data) => {
				found = true;
				show(data);
				page.announce(`${sideName(now?.to_move ?? "x")} to move: ${worth(data.value, data.score, data.distance)}.`);
			},
			unsolved: (data) => {
				found = true;
				const why = `Not solved: ${count(data.nodes)} positions in ${duration(data.seconds)} were not enough. Make some more moves, and try again.`;
				refill(truth, h("p", null, why));
				page.announce(why);
			},
		}, mine.signal));
		clearTimeout(late);
		if (work !== mine) return;
		work = null;
		thinking.hidden = true;
		again.hidden = found;
		again.textContent = "Search again";
		if (!found && !trouble.textContent) refill(truth, h("p", null, "Stopped before the end."));
	}

	/** @param {any} solution @param {string[]|null} [before] */
	function show(solution, before = null) {
		if (!now || !squares) return;
		const notes = exactNotes(solution?.moves ?? []);
		squares.show(now, { playable: now.outcome === null, notes, before, showLegal: !solution });
		const mover = sideName(now.to_move);
		refill(turn, h("strong", null, now.result ?? `${mover} to move`), now.pass && button("Pass", () => now?.pass && make(now.pass)));
		first.disabled = trail.at === 0 && trail.start === null;
		list.update(trail.line, trail.at);
		rows.element.hidden = !solution?.moves?.length;
		rows.update(solution?.moves ?? []);
		refill(truth);
		refill(bestLine);
		if (!solution) return;
		refill(truth, h("p", { class: "verdict-head" }, badge(solution.value, `${capital(worth(solution.value, solution.score, solution.distance))} for ${mover}`)),
			solution.score_meaning && typeof solution.score === "number" && h("p", MUTED, `Scores: ${solution.score_meaning}.`),
			h("p", { class: "muted small" }, `${things(solution.nodes, "position")} in ${duration(solution.seconds)}`));
		const base = trail.line.slice(0, trail.at);
		refill(bestLine, solution.line.length > 0 && [h("h2", null, "Best line"), h("ol", { class: "line-moves" }, solution.line.map((move, i) =>
			h("li", null, button(move, () => {
				trail.line = [...base, ...solution.line];
				to(base.length + i + 1);
			}, { class: "chip", "aria-label": `Move ${i + 1} of the best line: ${move}` }))))]);
	}

	sit();
}
