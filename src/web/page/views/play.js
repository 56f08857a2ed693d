/** A game, each side played by a person or by an agent. Requests carry all moves. */

import { MUTED, button, h, heading, menu, pulse, put, quiet, refill, tick } from "../parts/dom.js";
import { badge, capital, count, duration, percent, short, sideName, signed } from "../parts/words.js";
import { agentName, agentPicker, gamePicker, opponentOf } from "../parts/agent.js";
import { board, token } from "../parts/board.js";
import { NUMBERS, exactNotes } from "../parts/explorer.js";
import { guard, troubles } from "../parts/guard.js";
import { moveList } from "../parts/moves.js";
import { setup } from "../parts/setup.js";
import { table } from "../parts/table.js";
import { Trail } from "../parts/trail.js";
import { game as findGame, stream } from "../api.js";
/** @import {Column, Hint, Position, Side, Thought, Thoughts, View} from "../types.js" */

const SIDES = /** @type {Side[]} */ (["x", "o"]);

/** @type {View} */
export function play(root, page) {
	page.title("Play");
	const trail = new Trail(page.query);
	/** @type {{x: string, o: string}} */
	const who = { x: page.query.get("x") ?? "human", o: page.query.get("o") ?? "minimax" };
	let seed = Number(page.query.get("seed") ?? 1) || 0;
	/** @type {Position|null} */
	let now = null;
	let running = false;
	let pause = 500;
	let hints = page.query.get("hints") === "1";
	/** What agents thought, by the moves before. @type {Map<string, Thoughts>} */
	const thoughts = new Map();
	/** @type {AbortController|null} what an agent searches */
	let search = null;
	let hinting = new AbortController();
	/** @type {Hint|null} */
	let hint = null;
	let round = 0;

	/** @type {ReturnType<typeof board>|null} */
	let squares = null;
	const boardPlace = h("div");
	const turn = h("p", { class: "turn" });
	const discs = h("p", { class: "tally", hidden: true });
	const trouble = troubles();
	const noHints = troubles();
	const noReasons = troubles();
	const games = gamePicker(() => trail.game, (chosen) => {
		trail.begin(chosen);
		change();
	});
	const players = h("div", { class: "players" });
	const progress = h("span", MUTED);
	const stop = quiet("Stop", cease);
	const thinking = h("div", { class: "thinking", hidden: true }, pulse(), progress, stop);
	const pass = button("Pass", () => {
		if (now?.pass) make(now.pass);
		squares?.focus();
	}, { class: "primary", hidden: true });
	const begin = button("Start", () => {
		running = !running;
		if (running) trail.line = trail.line.slice(0, trail.at);
		else halt();
		draw();
		next();
	}, { class: "primary", hidden: true });
	const one = button("Step", () => {
		running = false;
		draw();
		if (trail.at < trail.line.length) to(trail.at + 1);
		else think();
	}, { hidden: true });
	const speed = menu("Speed", [["0", "as fast as they can"], ["500", "two moves a second"], ["1000", "a move a second"], ["2500", "slow"]], "500", (value) => (pause = Number(value)));
	const undo = quiet("Undo", () => jump(-1));
	const redo = quiet("Redo", () => jump(1));
	undo.disabled = redo.disabled = speed.hidden = true;
	const fresh = quiet("New game", () => {
		seed += 1;
		trail.begin(trail.game);
		running = agents() === 1;
		to(0);
	});
	const hintBox = tick("Hints", hints, (on) => {
		hints = on;
		page.set({ hints: on ? 1 : null });
		paint();
		advise();
	});
	const hintWords = h("p", { class: "muted small" });
	/** Where the agents at the board are less than their names say. @type {Map<string, string>} */
	const cautions = new Map();
	const cautionPlace = h("div", { hidden: true });
	const list = moveList((ply) => {
		running = false;
		to(ply);
	});
	const whyHead = h("summary");
	const whyBody = h("div");
	const why = h("details", { class: "why", hidden: true, ontoggle: () => explain() }, whyHead, noReasons, whyBody);
	const texts = setup(trail, () => now?.text ?? "", (isOther) => {
		running = false;
		if (isOther) change();
		else to(trail.at);
	});

	put(root,
		heading("Play", "A game against an agent, against a friend, or between two agents. Click a square, or use the arrow keys and Enter."),
		h("div", { class: "play-grid" },
			h("section", { class: "at-board", "aria-label": "Board" }, h("div", { class: "board-head" }, turn, discs), boardPlace),
			h("section", { class: "beside", "aria-label": "Players and moves" },
				h("div", { class: "bar tight" }, pass, begin, one, undo, redo, fresh, hintBox), thinking, trouble, cautionPlace, noHints, hintWords,
				games, players,
				h("div", { class: "bar" }, speed),
				list.element, why, texts)));
	document.addEventListener("visibilitychange", advise, { signal: page.left });
	page.left.addEventListener("abort", () => {
		running = false;
		halt();
		hinting.abort();
		asks.abort();
	});

	const isAgents = (side) => who[side] !== "human";
	const agents = () => SIDES.filter(isAgents).length;
	/** Who moves after `ply` moves; sides alternate, as a pass is a move. @param {number} ply */
	const sideAt = (ply) => SIDES[Math.abs(ply - trail.at + Number(now?.to_move === "o")) % 2];
	const key = (ply = trail.at) => JSON.stringify([trail.asked(ply), who[sideAt(ply)], seed]);

	/** @param {string|null} [caution] of the side's agent; without one nothing is known of any */
	function warn(side = "", caution) {
		if (caution) cautions.set(side, caution);
		else if (!side) cautions.clear();
		cautionPlace.hidden = cautions.size === 0;
		refill(cautionPlace, [...new Set(cautions.values())].map((text) => h("p", { class: "caution" }, text)));
	}

	/** Sits down at another game, with agents that fit it. */
	function change() {
		for (const side of SIDES) if (isAgents(side)) who[side] = "";
		sit(trail.at);
	}

	/** Sits down at the board. @param {number} ply */
	async function sit(ply) {
		halt();
		warn();
		/** @type {any} */ (games.lastChild).value = trail.game;
		const sits = await guard(trouble, async () => {
			const info = await findGame(trail.game);
			squares = board(info, make);
			refill(boardPlace, squares.element);
			for (const side of SIDES) if (who[side] === "") who[side] = opponentOf(info.agents);
			const joins = info.shape === "hexagons" ? { x: ", from top to bottom", o: ", from left to right" } : { x: "", o: "" };
			refill(players, SIDES.map((side) => agentPicker({
				label: (side === "x" ? "X, moves first" : "O") + joins[side], before: token(info, side), game: trail.game, spec: who[side], person: true,
				change: (spec) => {
					who[side] = spec;
					halt();
					warn();
					running = agents() === 1;
					page.set({ x: who.x, o: who.o });
					draw();
					next();
				},
			})));
			running = agents() === 1 && ply === trail.line.length;
		});
		if (sits) await to(ply);
	}

	/** Shows the position after `ply` of the moves. @param {number} ply @param {Position} [given] */
	async function to(ply, given) {
		if (!squares) return sit(ply);
		const mine = ++round;
		halt();
		const before = now && Math.abs(ply - trail.at) === 1 && now.game === trail.game ? now.rows : null;
		await guard(trouble, async () => {
			const position = given ?? await trail.position(ply);
			if (mine !== round) return;
			trail.at = ply;
			now = position;
			hint = null;
			page.set({ position: null, ...trail.asked(), x: who.x, o: who.o, seed });
			draw(before);
			say();
			advise();
			next();
		});
	}

	function say() {
		if (!now) return;
		const last = now.history?.at(-1);
		const moved = last ? `${sideName(last.side)} ${last.pass ? "passes" : `plays ${last.move}`}. ` : "";
		page.announce(moved + (now.result ?? `${sideName(now.to_move)} to move${now.pass ? ", and has to pass" : ""}.`));
	}

	/** Makes a move for the person whose turn it is. @param {string} move */
	function make(move) {
		if (!now || now.outcome !== null || isAgents(now.to_move)) return;
		running = agents() === 1 || running;
		to(trail.make(move));
	}

	/** An agent that begins keeps its first move. */
	const least = () => (agents() === 1 && isAgents(sideAt(0)) ? 1 : 0);

	/** Goes back to the last turn of a person, or forward to the next. @param {number} by */
	function jump(by) {
		const { at, line } = trail;
		let ply = at + by;
		if (agents() === 1) while (ply > 0 && ply < line.length && isAgents(sideAt(ply))) ply += by;
		if (ply < least() || ply > line.length) return;
		running = agents() === 1 && ply === line.length;
		to(ply);
	}

	/** Lets the agent move whose turn it is, if the game goes on. */
	function next() {
		if (!running || !now || now.outcome !== null || trail.at < trail.line.length || search || !isAgents(now.to_move)) return;
		const wait = agents() === 2 ? pause : 250;
		const mine = round;
		const begun = new AbortController();
		search = begun;
		setTimeout(() => {
			if (begun.signal.aborted || mine !== round) return;
			search = null;
			think();
		}, wait);
	}

	function halt() {
		search?.abort();
		search = null;
		thinking.hidden = true;
	}

	function cease() {
		running = false;
		halt();
		draw();
	}

	async function think() {
		if (!now || now.outcome !== null || search || !isAgents(now.to_move)) return;
		const mine = new AbortController();
		search = mine;
		hinting.abort();
		const side = now.to_move;
		const late = setTimeout(() => (thinking.hidden = search !== mine), 300);
		progress.textContent = `${sideName(side)} thinks`;
		draw();
		await guard(trouble, () => stream("/api/move", { ...trail.asked(), agent: who[side], seed }, {
			waiting: () => (progress.textContent = `${sideName(side)} waits for a free place`),
			progress: (data) => (progress.textContent = `${sideName(side)} thinks: ${count(data.done)} looked at, ${duration(data.seconds)}`),
			move: (data) => {
				search = null;
				if (data.thoughts) thoughts.set(key(), data.thoughts);
				warn(side, data.caution);
				return to(trail.make(data.move), data.position);
			},
		}, mine.signal));
		clearTimeout(late);
		if (search === mine) {
			// It found no move.
			cease();
		}
	}

	/** Looks up what is known of the moves while somebody sees the position. */
	async function advise() {
		hinting.abort();
		noHints.textContent = "";
		if (document.hidden || !hints || hint?.kind === "exact" || !now || now.outcome !== null || now.pass || search || (running && isAgents(now.to_move))) return paint();
		const mine = (hinting = new AbortController());
		await guard(noHints, () => stream("/api/hints", trail.asked(), {
			waiting: () => (hintWords.textContent = "Hints wait for a free place."),
			hint: (data) => {
				hint = data;
				paint();
			},
		}, mine.signal));
	}

	/** @param {string[]|null} [before] */
	function paint(before) {
		if (!now || !squares) return;
		const known = hints && hint ? hint : null;
		const moves = known?.moves ?? [];
		const all = Math.max(1, ...moves.map((move) => move.visits ?? 0));
		const notes = known?.kind !== "estimate" ? exactNotes(moves) : new Map(moves.map((move) => [move.move, {
			text: String(Math.round((move.rate ?? 0) * 100)), bar: (move.visits ?? 0) / all, best: move.best, words: `expected result ${percent(move.rate, 0)}${move.best ? ", best" : ""}`,
		}]));
		const free = now.outcome === null && !isAgents(now.to_move) && !search;
		squares.show(now, { playable: free, notes, before, showLegal: free });
		hintWords.textContent = !known || now.outcome !== null ? "" : known.kind === "exact"
			? `Every move under perfect play, for ${sideName(now.to_move)}: + won, = drawn, − lost.${known.score_meaning && known.moves.some((move) => typeof move.score === "number") ? ` Numbers are scores: ${known.score_meaning}.` : ""}`
			: `An estimate: the expected result of every move for ${sideName(now.to_move)} in per cent, after ${count(known.simulations)} simulations. Bars show how often they tried it.`;
	}

	/** @param {string[]|null} [before] */
	function draw(before) {
		if (!now) return;
		paint(before);
		const side = now.to_move;
		const name = isAgents(side) ? agentName(who[side]) : agents() === 1 ? "Your turn" : "";
		refill(turn, now.outcome !== null ? h("strong", { class: "outcome" }, now.result) : [
			h("strong", null, `${sideName(side)} to move`), h("span", MUTED, ` ${now.pass && !isAgents(side) ? "No move is possible: pass." : name}`)]);
		discs.hidden = !now.discs;
		if (now.discs) discs.textContent = `X ${now.discs[0]}   O ${now.discs[1]}`;
		pass.hidden = now.outcome !== null || isAgents(side) || !now.pass;
		begin.hidden = agents() === 0 || now.outcome !== null || (agents() === 1 && (running || !isAgents(side)));
		begin.textContent = running ? "Pause" : trail.at < trail.line.length ? "Play on from here" : trail.at ? "Go on" : "Start";
		one.hidden = agents() !== 2 || now.outcome !== null;
		speed.hidden = agents() !== 2;
		undo.disabled = trail.at <= least();
		redo.disabled = trail.at >= trail.line.length;
		list.update(trail.line, trail.at);
		if (!pass.hidden) pass.focus();
		explain();
	}

	let asks = new AbortController();
	async function explain() {
		asks.abort();
		const ply = trail.line.slice(0, trail.at).findLastIndex((_, before) => isAgents(sideAt(before)));
		why.hidden = ply < 0;
		if (ply < 0) return;
		const side = sideAt(ply);
		const move = trail.line[ply];
		whyHead.textContent = `What ${sideName(side)} thinks of ${move}`;
		if (!why.open) return;
		noReasons.textContent = "";
		const known = thoughts.get(key(ply));
		if (known) return reasons(known, move, side);
		refill(whyBody, h("p", MUTED, `${agentName(who[side])} thinks about it again.`));
		const mine = asks = new AbortController();
		const has = await guard(noReasons, () => stream("/api/think", { ...trail.asked(ply), agent: who[side], seed }, {
			waiting: () => {},
			thoughts: (data) => {
				thoughts.set(key(ply), data);
				reasons(data, move, side);
			},
		}, mine.signal));
		if (!has && !mine.signal.aborted) refill(whyBody);
	}

	/** @param {Thoughts} found @param {string} played @param {Side} side */
	function reasons(found, played, side) {
		const has = (what) => found.moves.some((move) => move[what] !== null);
		/** @type {Column<Thought>[]} */
		const columns = [{ name: "Move", by: (move) => move.move, show: (move) => (move.move === played ? h("strong", null, `${move.move} (played)`) : move.move) }];
		const number = (value) => signed(value, 0);
		/** @type {[string, string, string|null, (value: any) => any][]} */
		const said = [
			["probability", "Plays", "How likely it is to play the move", (value) => percent(value, 0)],
			["value", NUMBERS[found.numbers].head, found.numbers === "values" ? "What it expects of the move" : capital(NUMBERS.preferences.about), (value) => short(value && Number(value.toFixed(4)))],
			["visits", "Visits", "How often it was tried", count],
			// On another scale.
			["score", "Score", "By looking ahead", number],
			["exact_score", "Exact score", null, number],
			["proven", "Proven", null, (value) => value && badge(value)],
		];
		for (const [what, name, about, show] of said) {
			if (has(what) && (what !== "score" || !has("value"))) columns.push({ name, kind: what === "proven" ? "" : "number", about, by: (move) => move[what], show: (move) => show(move[what]) });
		}
		const rows = table(`Why ${sideName(side)} played ${played}`, columns, (move) => move.move);
		rows.update([...found.moves].sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0) || (b.visits ?? 0) - (a.visits ?? 0) || (b.score ?? b.value ?? 0) - (a.score ?? a.value ?? 0)));
		refill(whyBody,
			columns.length > 1 ? rows.element : h("p", MUTED, `${capital(agentName(found.agent))} gives no reasons: it says nothing about its moves.`));
	}

	sit(trail.at);
}
