/** What an agent thinks of every move, next to the truth, at every checkpoint. */

import { MUTED, button, h, heading, menu, options, put, quiet, refill } from "../parts/dom.js";
import { address, badge, count, sideName, splitMoves, things, worth } from "../parts/words.js";
import { chart } from "../parts/chart.js";
import { NUMBERS, explorer } from "../parts/explorer.js";
import { guard, troubles } from "../parts/guard.js";
import { losingLine, mistakeList } from "../parts/mistakes.js";
import { moveList } from "../parts/moves.js";
import { Trail } from "../parts/trail.js";
import { forget, game as findGame, get, listen, recall, stream } from "../api.js";
/** @import {Opinion, Game, Hint, Inspection, Page, Past, Run, Side, View} from "../types.js" */

/** Colours and dashes of values. @type {Object<string, [string, [number, number]|null]>} */
const LINES = { win: ["#009e73", null], draw: ["#0072b2", [9, 4]], loss: ["#d55e00", [2, 3]] };

/** @type {View} */
export function inside(root, page) {
	const name = page.query.get("run") ?? "";
	page.title(`Inside ${name}`);
	const trouble = troubles();
	const body = h("div");
	put(root,
		heading("Inside the agent", "What the agent thinks of every move, next to the truth. Click a move to go there; drag the slider to watch it learn.",
			h("a", { href: "#/runs" }, "Runs"), " / ", h("a", { href: address("run", { name }) }, name)),
		trouble, body);
	/** @type {((run: Run) => void)|null} */
	let follow = null;
	let ends = new AbortController();
	const clear = (...instead) => (ends.abort(), (follow = null), refill(body, instead));
	const show = (run) => guard(trouble, async () => {
		const game = await findGame(run.row.game);
		if (!run.seeds.some((seed) => seed.checkpoints.length)) return clear(h("p", { class: "empty" }, run.row.state === "training" ? "There is no checkpoint yet. The first one appears here by itself." : "There are no checkpoints."));
		if (follow) return follow(run);
		// The run may have gone on since.
		forget("/api/inspect");
		ends = new AbortController();
		follow = look(body, { ...page, left: AbortSignal.any([page.left, ends.signal]) }, trouble, run, game);
	});
	guard(trouble, async () => void show(await get("/api/run", { name }, page.left)));
	listen("/api/run/events", { name }, { run: show, refused: (why) => (clear(), trouble.textContent !== why && (trouble.textContent = why)) }, page.left);
}

/** Returns a listener to how the run goes on. @param {HTMLElement} body @param {Page} page @param {HTMLElement} trouble @param {Run} run @param {Game} game */
function look(body, page, trouble, run, game) {
	const name = run.row.name;
	let seed = 0;
	let epoch = 0;
	const trail = new Trail(page.query);
	let side = run.sides[0];
	let opponent = run.opponents.find((one) => one !== "self") ?? "random";
	/** @type {Inspection|null} */
	let now = null;
	/** @type {Past|null} */
	let past = null;
	let round = 0;
	/** What a search finds out where the truth is out of reach. @type {Hint|null} */
	let hint = null;
	let searching = new AbortController();
	/** Nobody has chosen a position yet. */
	let fresh = false;
	let announced = "";
	let timer;
	let shown = {};

	const seedOf = (number) => run.seeds.find((one) => one.seed === number);
	const checkpoints = () => seedOf(seed)?.checkpoints ?? [];

	// The board and what stands above it.
	const seen = explorer(game, (move) => {
		// The board may be behind.
		Object.assign(trail, shown);
		step(trail.make(move));
	});
	const first = quiet("Start", () => go([], 0));
	const list = moveList(step);
	const symmetric = h("p", { class: "muted small" });

	// The checkpoints.
	const slider = h("input", { type: "range", min: 0, step: 1, id: "epoch", oninput: () => pick(checkpoints()[Number(slider.value)]), onchange: () => loadMistakes() });
	const stamp = h("output", { for: "epoch", class: "stamp" });
	const watch = quiet("Watch it learn", toggle);
	const choose = (to) => (pick(to), loadMistakes());
	const toBest = quiet("Best", () => choose(seedOf(seed)?.best.epoch ?? 0));
	const toLast = quiet("Last", () => choose(checkpoints().at(-1) ?? 0));
	const curve = chart({ label: "What the agent thinks of every move, by epoch", height: 190, onpick: choose });
	const few = h("p", { class: "muted small", hidden: true });
	const seedMenu = menu("Seed", [], "", (to) => {
		seed = Number(to);
		epoch = nearest(epoch);
		reload();
	});
	function setSeeds() {
		const old = /** @type {HTMLSelectElement} */ (seedMenu.lastChild);
		seedMenu.hidden = run.seeds.length < 2;
		const now = h("select", null, options(run.seeds.filter((one) => one.checkpoints.length).map((one) => [String(one.seed), `${one.seed}${one.best.unbeatable === false ? " (beatable)" : ""}`])));
		if (!now.isEqualNode(old)) refill(old, ...now.children);
		old.value = String(seed);
	}

	const about = h("p", MUTED);

	// Mistakes and the line that loses.
	const mistakes = mistakeList(game, jump);
	const mistakeTrouble = troubles();
	const line = losingLine(game, jump);
	const sides = run.sides.length > 1 ? menu("Side", run.sides.map((one) => [one, sideName(one)]), side, (to) => {
		side = /** @type {Side} */ (to);
		loadMistakes();
	}) : null;
	const against = menu("Against", [...new Set([...run.opponents.filter((one) => one !== "self"), "random", "minimax"])], opponent, (to) => {
		opponent = to;
		loadMistakes();
	});

	refill(body,
		h("div", { class: "inside-grid" },
			h("section", { class: "at-board", "aria-label": "Board" },
				seen.head, seen.board, h("div", { class: "bar tight" }, first, list.back, list.forward)),
			h("section", { class: "beside", "aria-label": "Checkpoints and moves" },
				h("div", { class: "panel" },
					h("div", { class: "bar spread" }, h("label", { for: "epoch", class: "label" }, "Checkpoint"), stamp),
					slider,
					h("div", { class: "bar tight" }, watch, toBest, toLast, seedMenu),
					curve.element, few),
				h("h2", null, "Moves"), about, seen.rows),
			h("section", { class: "below", "aria-label": "Key and moves so far" }, seen.key, list.element, symmetric)),
		run.listed && h("section", { class: "errors" },
			h("div", { class: "section-head" }, h("h2", null, "Where it errs"), h("div", { class: "bar" }, sides, against)),
			mistakeTrouble, mistakes.element, line.element));

	const reload = () => (setSlider(), load(), loadMistakes());

	/** The checkpoint that is nearest to an epoch. @param {number} to */
	function nearest(to) {
		return checkpoints().reduce((best, one) => (Math.abs(one - to) < Math.abs(best - to) ? one : best), checkpoints()[0] ?? 0);
	}

	function setSlider() {
		const all = checkpoints();
		slider.max = String(Math.max(0, all.length - 1));
		slider.value = String(Math.max(0, all.indexOf(epoch)));
		slider.disabled = all.length < 2;
		watch.hidden = all.length < 3;
		few.hidden = all.length >= Math.min(6, seedOf(seed)?.last.epoch ?? 0);
		few.textContent = `This seed kept ${things(all.length, "checkpoint")}. A run trained with --set checkpoints.every=1 keeps one every epoch.`;
	}

	/** @param {number} to an epoch */
	function pick(to) {
		epoch = nearest(to);
		slider.value = String(checkpoints().indexOf(epoch));
		paint();
		page.set({ checkpoint: epoch });
	}

	function toggle() {
		if (timer !== undefined) return stop();
		let i = Number(slider.value) >= Number(slider.max) ? 0 : Number(slider.value);
		pick(checkpoints()[i]);
		watch.textContent = "Pause";
		timer = setInterval(() => {
			if (++i >= checkpoints().length) return stop();
			pick(checkpoints()[i]);
		}, 350);
	}

	function stop() {
		clearInterval(timer);
		timer = undefined;
		watch.textContent = "Watch it learn";
		loadMistakes();
	}
	document.addEventListener("visibilitychange", search, { signal: page.left });
	page.left.addEventListener("abort", () => (clearInterval(timer), searching.abort()));

	/** Goes to a position of another line. @param {string[]} line @param {number} ply */
	function go(line, ply) {
		trail.begin(run.row.game, null, line);
		step(ply);
	}

	/** Goes there, and shows it. @param {string[]} line @param {number} ply */
	function jump(line, ply) {
		go(line, ply);
		seen.board.scrollIntoView({ block: "nearest" });
		seen.squares.focus();
	}

	function step(ply) {
		if (ply < 0 || ply > trail.line.length) return;
		trail.at = ply;
		load();
	}

	async function load() {
		const mine = ++round;
		searching.abort();
		list.update(trail.line, trail.at);
		const { moves, position = null } = trail.asked();
		page.set({ seed, checkpoint: epoch, moves, position });
		await guard(trouble, async () => {
			const asked = { run: name, seed, position, moves };
			const [inspection, history] = await Promise.all([
				recall("/api/inspect", { ...asked, checkpoint: epoch }), recall("/api/inspect/history", asked),
			]);
			if (mine !== round) return;
			const before = now?.position.rows ?? null;
			if (fresh && !inspection.learned && inspection.moves.length) {
				// An agent that did not learn to begin is first shown where it moves.
				const apart = (move) => Math.hypot((move.row ?? 0) - (game.height - 1) / 2, (move.column ?? 0) - (game.width - 1) / 2);
				fresh = false;
				return step(trail.make([...inspection.moves].sort((a, b) => apart(a) - apart(b))[0].move));
			}
			fresh = false;
			now = inspection;
			shown = { ...trail };
			seen.numbers = now.numbers;
			past = history;
			hint = null;
			paint(before);
			const said = inspection.position.result ?? `${sideName(inspection.position.to_move)} to move, ${inspection.value ?? "value not known"}.`;
			search();
			const words = trail.at ? `${trail.line[trail.at - 1]}. ${said}` : said;
			if (words !== announced) page.announce((announced = words));
		});
	}

	/** Searches on until the truth comes, or nobody sees the position. */
	async function search() {
		searching.abort();
		if (document.hidden || !now || now.value !== null || now.position.outcome !== null || hint?.kind === "exact") return;
		const mine = (searching = new AbortController());
		await guard(trouble, () => stream("/api/hints", trail.asked(), {
			waiting: () => {},
			hint: (data) => {
				hint = data;
				paint();
			},
		}, mine.signal));
	}

	/** The moves as they were at the chosen checkpoint. @returns {Opinion[]} */
	function atEpoch() {
		if (!now) return [];
		const i = past ? past.epochs.indexOf(epoch) : -1;
		if (!past || i < 0) return now.moves.map((move) => ({ ...move, mistake: !!move.mistake }));
		return past.moves.map((move) => {
			const found = hint?.moves.find((one) => one.move === move.move);
			const truth = found?.value ? found : now?.moves.find((one) => one.move === move.move);
			const optimal = move.optimal ?? truth?.optimal ?? null;
			const probability = move.probability[i];
			return {
				move: move.move, q: move.q[i], probability, visits: move.visits[i], value: move.value ?? truth?.value ?? null,
				score: truth?.score ?? null, distance: truth?.distance ?? null, optimal, rate: found?.rate, mistake: optimal === false && (probability ?? 0) > 0,
			};
		});
	}

	/** @param {string[]|null} [before] */
	function paint(before) {
		if (!now) return;
		const { position } = now;
		const all = atEpoch();
		const mover = sideName(position.to_move);
		const value = now.value ?? hint?.value;
		seen.show(position, all, value && badge(value, worth(value, now.score ?? hint?.score, now.distance ?? hint?.distance)), before);
		const i = past ? past.epochs.indexOf(epoch) : -1;
		const seeded = seedOf(seed);
		const episodes = i >= 0 ? past?.episodes[i] : now.episodes;
		const marks = [epoch === seeded?.best.epoch && "best", epoch === checkpoints().at(-1) && "last"].filter(Boolean);
		stamp.textContent = `epoch ${count(epoch)}, ${things(episodes ?? 0, "episode")}${marks.length ? ` (${marks.join(", ")})` : ""}`;
		slider.setAttribute("aria-valuetext", stamp.textContent);
		about.textContent = position.outcome !== null ? "The game is over here." : [
			!now.learned && `This agent did not learn to play ${mover}: these are the ${now.numbers} it began with.`,
			now.epoch === epoch && now.line[1] && `It expects ${now.line.join(" ")}.`,
			!now.value && hint?.kind === "estimate" && `Instead of the truth, which is out of reach: a search's estimate of the result in per cent, after ${count(hint.simulations)} simulations.`,
		].filter(Boolean).join(" ");
		about.hidden = !about.textContent;
		drawCurve();
		first.disabled = trail.at === 0 && trail.start === null;
		refill(symmetric, position.canonical !== position.text && game.listed
			? ["Turned or mirrored, this is the same as ", button(position.canonical, () => (trail.begin(game.name, position.canonical), load()), { class: "link" })] : null);
	}

	function drawCurve() {
		const { head, past: title } = NUMBERS[seen.numbers];
		const has = past && past.epochs.length > 1 && past.moves.some((move) => move.q.some((q) => q !== null));
		curve.element.hidden = !has;
		if (!past || !has) return;
		const { epochs } = past;
		const values = past.moves.flatMap((move) => move.q.filter((q) => q !== null));
		let [low, high] = [Math.min(...values), Math.max(...values)];
		const room = (high - low) * 0.06 || 0.05;
		[low, high] = [low - room, high + room];
		const series = past.moves.map((move) => {
			const [color, dash] = LINES[move.value ?? ""] ?? ["#777777", null];
			return { name: move.move, color, dash, points: /** @type {[number, number][]} */ (epochs.map((x, i) => [x, move.q[i]]).filter(([, q]) => q !== null)) };
		});
		curve.update({ title, y: { label: head.toLowerCase(), low, high }, series, levels: [], marks: [] }, { label: "epochs", low: epochs[0], high: epochs[epochs.length - 1] });
		curve.setFixed(epoch);
	}

	let mistakeRound = 0;
	async function loadMistakes() {
		if (!run.listed) return;
		const mine = ++mistakeRound;
		const asked = { run: name, seed, checkpoint: epoch, side };
		await guard(mistakeTrouble, async () => {
			const [found, losing] = await Promise.all([recall("/api/inspect/mistakes", { ...asked, opponent }), recall("/api/inspect/line", asked)]);
			if (mine !== mistakeRound) return;
			mistakes.update(found);
			line.update(losing.line, side);
		});
	}

	/** Takes everything from the address. */
	function take() {
		const { query } = page;
		const asked = Number(query.get("seed"));
		seed = seedOf(asked)?.checkpoints.length ? asked : run.seeds.find((one) => one.checkpoints.length)?.seed ?? run.seeds[0].seed;
		const point = query.get("checkpoint");
		epoch = point === "last" ? checkpoints().at(-1) ?? 0 : nearest(point === null || point === "best" ? seedOf(seed)?.best.epoch ?? 0 : Number(point));
		trail.begin(run.row.game, query.get("position"), splitMoves(query.get("moves")));
		fresh = !query.has("checkpoint") && !trail.line.length && trail.start === null;
		setSeeds();
		reload();
	}

	take();
	return (next) => {
		const last = checkpoints().at(-1);
		const grew = JSON.stringify(next.seeds) !== JSON.stringify(run.seeds);
		run = next;
		if (!grew) return;
		forget("/api/inspect");
		// A view of the newest stays at the newest; others may be gone.
		epoch = epoch === last ? checkpoints().at(-1) ?? epoch : nearest(epoch);
		setSeeds();
		reload();
	};
}
