/** A match between two agents, counted in games and computed where possible. */

import { MUTED, button, h, heading, put, refill } from "../parts/dom.js";
import { count, duration, percent, things } from "../parts/words.js";
import { agentName, agentPicker, gamePicker } from "../parts/agent.js";
import { table } from "../parts/table.js";
import { guard, troubles } from "../parts/guard.js";
import { game as findGame, stream } from "../api.js";
/** @import {View} from "../types.js" */

/** @type {View} */
export function match(root, page) {
	page.title("Match");
	let game = page.query.get("game") ?? "tic-tac-toe";
	let a = page.query.get("a") ?? "minimax";
	let b = page.query.get("b") ?? "random";
	/** @type {AbortController|null} */
	let work = null;
	page.left.addEventListener("abort", () => work?.abort());

	const players = h("div", { class: "players" });
	const number = h("input", { type: "number", required: true, min: 0, max: 10000, step: 1, value: page.query.get("games") ?? "1000", onchange: () => page.set({ games: number.value }) });
	const seed = h("input", { type: "number", required: true, min: 0, step: 1, value: page.query.get("seed") ?? "1", onchange: () => page.set({ seed: seed.value }) });
	const start = button("Start the match", () => (work ? work.abort() : go()), { class: "primary" });
	const trouble = troubles();
	const bar = h("progress", { max: 1, value: 0, "aria-label": "Games played" });
	const note = h("p", MUTED);
	const progress = h("div", { class: "filling", hidden: true }, bar, note);
	const result = h("div", { class: "result" });

	put(root,
		heading("Match", "Two agents take turns to begin. Where their moves have known probabilities, the exact result stands beside the counted one."),
		gamePicker(() => game, (to) => {
			game = to;
			page.set({ game });
			work?.abort();
			progress.hidden = true;
			seat();
			refill(result);
		}),
		players,
		h("div", { class: "bar fields" },
			h("label", { class: "field" }, h("span", null, "Games"), number, h("small", MUTED, "0 computes the exact result only")),
			h("label", { class: "field" }, h("span", null, "Seed"), seed, h("small", MUTED, "The same seed, the same games")),
			start),
		trouble, progress, result);

	function seat() {
		guard(trouble, () => findGame(game));
		refill(players,
			agentPicker({ label: "A", game, spec: a, change: (spec) => page.set({ a: (a = spec) }) }),
			agentPicker({ label: "B", game, spec: b, change: (spec) => page.set({ b: (b = spec) }) }));
	}
	seat();

	async function go() {
		if (!number.reportValidity() || !seed.reportValidity()) return;
		work = new AbortController();
		const { signal } = work;
		const who = [a, b];
		start.textContent = "Stop";
		progress.hidden = false;
		bar.removeAttribute("value");
		note.textContent = "Preparing the agents.";
		refill(result);
		const began = performance.now();
		const went = await guard(trouble, () => stream("/api/match", { game, a, b, games: Number(number.value), seed: seed.value }, {
			waiting: () => (note.textContent = "Waiting for a free place."),
			progress: (data) => {
				bar.max = data.games || 1;
				bar.value = data.done;
				note.textContent = `${count(data.done)} of ${count(data.games)} games`;
			},
			result: (data) => {
				bar.max = 1;
				bar.value = data.complete ? 1 : data.played.games / data.games;
				const seconds = (performance.now() - began) / 1000;
				note.textContent = data.played ? `${things(data.played.games, "game")} in ${duration(seconds)}` : `Computed in ${duration(seconds)}`;
				// By then the names of runs are known.
				show(data, who.map(agentName));
			},
		}, signal));
		if (signal.aborted) note.textContent = "Stopped.";
		else if (!went) progress.hidden = true;
		work = null;
		start.textContent = "Start the match";
	}

	/** @param {Object<string, any>} data @param {string[]} names those who played */
	function show({ played, exact, cautions, complete, games, not_exact }, [nameA, nameB]) {
		const rows = [];
		for (const [label, from] of [["All games", ""], ["A begins", "a_first"], ["B begins", "b_first"]]) {
			for (const [kind, all] of [["counted", played], ["exact", exact]]) {
				const one = all && (from ? all[from] : all);
				if (one && (!from || one.win_rate !== undefined)) rows.push({ label, kind, one });
			}
		}
		if (!rows.length) return;
		const main = rows.find((row) => row.kind === "exact") ?? rows[0];
		const says = `${nameA} wins ${percent(main.one.win_rate)}, draws ${percent(main.one.draw_rate)} and loses ${percent(main.one.loss_rate)} against ${nameB}.`;
		const list = table("Result of the match", [
			{ name: "Games", show: ({ label }) => label },
			{ name: "How", kind: "muted", show: ({ kind, one }) => (kind === "exact" ? "computed" : `${count(one.games)} played`) },
			{ name: h("span", { class: "unseen" }, "Shares"), kind: "middle", show: ({ one }) => shares(one) },
			{ name: "A wins", kind: "number", show: ({ one }) => percent(one.win_rate) },
			{ name: "Draws", kind: "number", show: ({ one }) => percent(one.draw_rate) },
			{ name: "A loses", kind: "number", show: ({ one }) => percent(one.loss_rate) },
			{ name: "A wins, 95 % interval", kind: "number muted middle", show: ({ kind, one }) => (kind === "exact" ? "exact" : one.win_low == null ? "–" : `${percent(one.win_low, 1)} to ${percent(one.win_high, 1)}`) },
		], ({ label, kind }) => `${label} ${kind}`);
		list.update(rows);
		refill(result, h("h2", null, says), list.element,
			played && h("p", MUTED, "Intervals count copies of a game once."),
			cautions.map((text) => h("p", { class: "caution" }, text)),
			!complete && h("p", { class: "caution" }, `Time was up after ${count(played.games)} of ${count(games)} games.`),
			not_exact && h("p", MUTED, not_exact));
		page.announce(says);
	}

	/** @param {{win_rate: number, draw_rate: number, loss_rate: number}} one */
	function shares(one) {
		return h("span", { class: "shares", "aria-hidden": "true" }, ["win", "draw", "loss"].filter((name) => one[`${name}_rate`] > 0).map((name) => {
			const part = h("i", { class: name });
			part.style.flexGrow = one[`${name}_rate`];
			return part;
		}));
	}
}
