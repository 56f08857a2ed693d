/**
 * The report of `lab report`, in a file of its own: everything that it shows is in it, and it asks nobody.
 * The program puts this module and the modules that it imports into the file, one after the other.
 */

import { copier, h, heading, put, section, segments } from "../parts/dom.js";
import { badge, described, duration, sideName, things, when } from "../parts/words.js";
import { explorer } from "../parts/explorer.js";
import { figure } from "../parts/figure.js";
import { losingLine, mistakeList } from "../parts/mistakes.js";
import { moveList } from "../parts/moves.js";
import { seedsTable, strengthTable } from "../parts/results.js";
/** @import {Game, Opinion, Position, Side, Value} from "../types.js" */

/** @type {Object<string, Value>} */
const VALUES = { w: "win", d: "draw", l: "loss" };

/** @param {any} data */
function report(data) {
	const root = h("div", { class: "view run report" });
	put(/** @type {HTMLElement} */ (document.getElementById("main")), root);
	put(root, heading(data.title, `A report of lab ${data.version}, which computes how good trained agents are. It works without a network.`));
	if (data.comparison) put(root, section("All runs in one picture", "Point at a curve to read it, drag or double-click to zoom in.", drawing(data.comparison)));
	for (const one of data.runs) ofRun(root, one, data.runs.length > 1);
}

/** @param {any} what */
function drawing(what) {
	const picture = figure();
	picture.update(what);
	return picture.element;
}

/**
 * @param {HTMLElement} root
 * @param {any} one
 * @param {boolean} isOneOfMany
 */
function ofRun(root, one, isOneOfMany) {
	const { run } = one;
	const { row } = run;
	put(root, h("section", null, isOneOfMany && h("h2", null, row.name),
		h("p", null, described(run)),
		one.resume && h("p", null, h("strong", null, "Not finished."), " To go on: ", h("code", null, one.resume)),
		run.verdicts.map((text) => h("p", null, h("strong", null, text)))));
	if (one.figure) put(root, section("How it learned", "Left: the untrained agent. Right: the end of training. Point at a curve to read it, drag or double-click to zoom in.", drawing(one.figure)));

	if (one.explorer) put(root, explored(one));

	const strength = strengthTable({ name: "Against", show: (row) => row.opponent }, { name: "How", show: (row) => row.method });
	strength.update(run.strength);
	const seeds = seedsTable();
	seeds.update(run.seeds);
	if (run.strength.length) put(root, section("How strong it is", "Rates of win, draw and loss from the learner's side, at the best and at the last checkpoint, mean over the seeds.", strength.element));
	put(root, section("Seeds", "Each seed is an independent training of the same config. One alone proves nothing.", seeds.element));
	const code = (text) => h("div", { class: "code" }, copier("Copy", () => text), h("pre", { tabindex: 0, role: "group", "aria-label": "Text to copy" }, h("code", null, text)));
	put(root, section("How to reproduce it", "The same config gives the same bytes.", code(one.reproduce), h("details", null, h("summary", null, "config.toml"), code(run.config)),
		h("p", { class: "muted" }, [run.started && `Started ${when(run.started)}`, run.seconds !== null && `took ${duration(run.seconds)}`, run.version && `lab ${run.version}`].filter(Boolean).join(", "))));
}

/** The board to click through, the mistakes and the losing line of the best and of the last checkpoint. @param {any} one */
function explored(one) {
	const { explorer: known, run } = one;
	/** @type {Game} */
	const game = known.game;
	let which = 0;
	/** @type {string[]} */
	let line = [];
	let at = 0;
	const seen = explorer(game, (move) => go([...line.slice(0, at), move], at + 1));
	seen.numbers = known.numbers;
	const list = moveList((ply) => go(line, ply));
	const about = h("p", { class: "muted" });
	const names = known.checkpoints.map((point, i) => /** @type {[string, string]} */ ([String(i), `${point.name}: epoch ${point.epoch}`]));
	const points = names.length > 1 ? segments("Checkpoint", names, "0", (to) => {
		which = Number(to);
		go(line, at);
		judge();
	}) : h("p", { class: "muted" }, names[0][1]);
	const jump = (to, ply) => {
		go(to, ply);
		seen.board.scrollIntoView({ block: "nearest" });
		seen.squares.focus();
	};
	const errs = mistakeList(game, jump);
	const losing = losingLine(game, jump);
	let side = /** @type {Side} */ (known.sides[0]);

	/** @param {string[]} moves @returns {Position} */
	function position(moves) {
		const rows = Array.from({ length: game.height }, () => Array(game.width).fill("."));
		const squareOf = (move) => ({ row: (game.labels.rows ?? []).indexOf(move.slice(1)), column: game.labels.columns.indexOf(move[0]) });
		const history = moves.map((move, i) => {
			const { row, column } = squareOf(move);
			rows[row][column] = "XO"[i % 2];
			return { move, side: /** @type {Side} */ ("xo"[i % 2]), row, column, text: "", pass: false };
		});
		const text = rows.map((row) => row.join("")).join("/");
		const end = known.ends[text];
		const outcome = end === undefined ? null : end === "d" ? "draw" : end;
		const legal = end !== undefined ? [] : rows.flatMap((row, r) => row.flatMap((piece, c) => (piece === "." ? [{ move: game.labels.columns[c] + (game.labels.rows ?? [])[r], row: r, column: c }] : [])));
		return {
			game: game.name, text, moves: moves.join(","), rows: rows.map((row) => row.join("")), to_move: moves.length % 2 ? "o" : "x", ply: moves.length, outcome,
			result: outcome === null ? null : outcome === "draw" ? "A draw." : `${sideName(outcome)} wins after ${things(moves.length, "move")}.`, discs: null, pass: null, canonical: text, legal, history,
		};
	}

	/** The moves of a position. @param {Position} now @returns {{all: Opinion[], value: Value|null, distance: number|null, learned: boolean}} */
	function opinions(now) {
		const [truth = "", distances = "", ...thoughts] = (known.positions[now.text] ?? "").split(" ");
		const said = thoughts[which]?.split(",");
		const plays = said?.filter((word) => word.endsWith("*")).length ?? 0;
		const value = VALUES[truth[0]] ?? null;
		const all = now.legal.map(({ move }, i) => {
			const word = said?.[i] ?? "";
			const its = VALUES[truth[i + 1]] ?? null;
			const isPlayed = word.endsWith("*");
			const q = word.replace("*", "");
			return {
				move, q: q === "" ? null : Number(q) / 1000, probability: said ? (isPlayed ? 1 / plays : 0) : null, visits: null, value: its, score: null,
				distance: parseInt(distances[i], 36), optimal: its === value, mistake: isPlayed && its !== value,
			};
		});
		const best = all.filter((move) => move.optimal).map((move) => move.distance);
		return { all, value, distance: best.length ? (value === "loss" ? Math.max(...best) : Math.min(...best)) : null, learned: !!said };
	}

	/** @param {string[]} to @param {number} ply */
	function go(to, ply) {
		if (ply < 0 || ply > to.length) return;
		if (to !== line && to.every((move, i) => line[i] === move)) to = line;
		[line, at] = [to, ply];
		const now = position(line.slice(0, at));
		const { all, value, distance, learned } = opinions(now);
		seen.show(now, all, value && badge(value, `${value}${distance ? ` in ${things(distance, "move")}` : ""}`));
		about.textContent = now.outcome !== null ? "The game is over here." : learned ? "" : `This agent did not learn to play ${sideName(now.to_move)}.`;
		about.hidden = !about.textContent;
		list.update(line, at);
	}

	function judge() {
		const is = (entry) => known.checkpoints[which].name.includes(entry.which) && entry.side === side;
		const found = one.mistakes.find(is);
		errs.element.hidden = !found;
		if (found) errs.update(found);
		const beaten = one.lines.find(is);
		losing.element.hidden = !beaten;
		if (beaten) losing.update(beaten.line, side);
	}

	const element = section("Inside the agent", `What the agent of seed ${known.seed} thinks of every move, next to the truth. Click a move to go there.`,
		h("div", { class: "bar" }, points),
		h("div", { class: "inside-grid" },
			h("div", { class: "at-board" }, seen.head, seen.board, h("div", { class: "bar tight" }, list.back, list.forward)),
			h("div", { class: "beside" }, about, seen.rows, list.element),
			h("div", { class: "below" }, seen.key)),
		known.sides.length > 1 && segments("Side", known.sides.map((each) => [each, `Mistakes as ${sideName(each)}`]), side, (to) => {
			side = /** @type {Side} */ (to);
			judge();
		}),
		errs.element, losing.element);
	// An agent that did not learn to begin is first shown where it moves.
	const middle = position([]).legal[Math.floor(position([]).legal.length / 2)];
	go(run.sides.includes("x") ? [] : [middle.move], run.sides.includes("x") ? 0 : 1);
	judge();
	return element;
}

report(JSON.parse(document.getElementById("data")?.textContent ?? "{}"));
