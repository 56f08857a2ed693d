/** All runs, and those in progress as they go on. */

import { MUTED, copier, fill, h, heading, pulse, put, refill, tick } from "../parts/dom.js";
import { address, badge, capital, count, percent, sideName, things } from "../parts/words.js";
import { guard, troubles } from "../parts/guard.js";
import { table } from "../parts/table.js";
import { get, listen, query } from "../api.js";
/** @import {Column, RunRow, View} from "../types.js" */

/** @param {RunRow} run */
export function state(run) {
	if (run.state !== "training") return h("span", { class: run.state === "finished" ? "muted" : null }, run.state);
	const max = run.all_epochs * run.all_seeds;
	const bar = h("progress", { max, value: run.done_epochs, "aria-label": `${run.done_epochs} of ${max} epochs of all seeds` });
	return h("span", { class: "training" }, pulse(), "training", bar);
}

/** Whether anyone can beat its best checkpoints. @param {RunRow} run */
export function verdict(run) {
	if (run.verdict === "unknown") return badge(null, run.unbeatable_best === null ? "not provable" : "not settled yet");
	const words = run.verdict === "mixed" ? `${run.unbeatable_best} of ${run.seeds} unbeatable` : run.verdict;
	return badge(run.verdict === "unbeatable" ? "win" : run.verdict === "beatable" ? "loss" : "mixed", words);
}

/** @param {(run: RunRow) => any} show */
const text = (show) => (run) => (run.readable ? show(run) : "");

/** @param {string} title */
const clipped = (title) => h("span", { class: "clip", title }, title);

/** What a table shows of a run. @type {Column<RunRow>[]} */
export const COLUMNS = [
	{
		name: "Run", kind: "name", by: (run) => run.name, show: (run) => [
			h("a", { href: address("run", { name: run.name }) }, run.name),
			!run.readable && h("span", MUTED, " cannot be read"),
			run.readable && h("span", { class: "narrow muted" }, `${run.game}, ${run.learner} as ${sideName(run.side)}`),
			run.readable && h("span", { class: "narrowest" }, verdict(run), run.state === "finished" ? null : state(run)),
		],
	},
	{ name: "Game", kind: "wide", by: (run) => run.game, show: text((run) => run.game) },
	{ name: "Side", kind: "wide", about: "X moves first", by: (run) => run.side, show: text((run) => sideName(run.side)) },
	{ name: "Learner", kind: "wide", by: (run) => run.learner, show: text((run) => clipped(run.learner)) },
	{ name: "Seeds", kind: "number wide", about: "Independent trainings of the same config", by: (run) => run.seeds, show: text((run) => (run.seeds === run.all_seeds ? count(run.seeds) : `${count(run.seeds)} of ${count(run.all_seeds)}`)) },
	{ name: "Episodes", kind: "number wide extra", about: "Training games of the longest seed", by: (run) => run.episodes, show: text((run) => count(run.episodes)) },
	{ name: "Verdict", kind: "verdict middle", about: "Whether the best checkpoints can be beaten by anyone, proven", by: (run) => (run.unbeatable_best == null || run.verdict === "unknown" ? null : run.unbeatable_best / Math.max(1, run.seeds)), show: text(verdict) },
	{ name: "Win rate", kind: "number", about: "Of the best checkpoints against the first opponent", by: (run) => run.win_rate, show: text((run) => percent(run.win_rate)) },
	{ name: "Against", kind: "extra muted", by: (run) => run.opponent, show: text((run) => clipped(run.opponent)) },
	{ name: "State", kind: "state wide", by: (run) => run.state, show: text(state) },
];

// What stays when one comes back.
const ticked = new Set();
const order = { column: -1, down: false };
/** @type {RunRow[]} */
let rows = [];

/** @type {View} */
export function runs(root, page) {
	page.title("Runs");
	const filter = h("input", { type: "search", placeholder: "Filter by name, game, learner …", "aria-label": "Filter the runs", value: page.query.get("filter") ?? "", oninput: () => (page.set({ filter: filter.value }), draw()) });
	const shown = h("p", { class: "muted", role: "status" });
	const compare = h("a", { class: "button primary", title: "Or press Enter in a checkbox", hidden: true });
	const bar = h("div", { class: "bar" }, filter, shown, compare);
	const list = table("Runs", [
		{ name: h("span", { class: "unseen" }, "Compare"), kind: "pick", show: (run) => run.readable && tick(h("span", { class: "unseen" }, `Compare ${run.name}`), ticked.has(run.name), (on) => (pick(run.name, on), compare.hidden || page.announce(`${compare.text} (Enter)`))) },
		...COLUMNS,
	], (run) => run.name, order);

	// From far down the list it is a long way to the bar.
	fill(list.element, { onkeydown: (event) => event.key === "Enter" && event.target.type === "checkbox" && !compare.hidden && compare.click() });
	list.element.hidden = bar.hidden = true;
	const empty = h("section", { class: "empty", hidden: true });
	const trouble = troubles();
	const none = h("h2");
	const others = h("section", { hidden: true });
	put(root,
		heading("Runs", "Every training and what came of it. Open one to see how the agent learned, look inside it, and play against it."),
		bar, trouble,
		list.element, empty, others);

	/** @param {string} name @param {boolean} on */
	function pick(name, on) {
		if (on) ticked.add(name);
		else ticked.delete(name);
		compare.hidden = ticked.size < 2;
		compare.text = `Compare ${ticked.size} runs`;
		compare.href = `#/compare${query({ name: [...ticked] })}`;
	}

	function draw() {
		const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
		const fits = rows.filter((run) => {
			const all = [run.name, run.game, run.learner, run.state, run.verdict, run.side && `as ${sideName(run.side)}`].join(" ").toLowerCase();
			return words.every((word) => all.includes(word));
		});
		list.update(fits);
		shown.textContent = rows.length ? `${fits.length === rows.length ? "" : `${fits.length} of `}${things(rows.length, "run")}` : "";
		list.element.hidden = bar.hidden = rows.length === 0;
		empty.hidden = false;
		none.textContent = rows.length ? "Train another agent" : "No runs yet";
	}

	function fresh() {
		for (const name of ticked) pick(name, rows.some((run) => run.name === name));
		draw();
	}

	if (rows.length) fresh();
	guard(trouble, async () => {
		const { newcomer: command } = await get("/api/lab");
		refill(empty, none,
			h("p", null, "Run this in another terminal to train one, which takes a second. You can watch it learn here:"),
			h("p", { class: "command" }, h("code", null, command), copier("Copy", () => command)),
			h("p", null, "Or ", h("a", { href: "#/play" }, "play a game"), " against a perfect player first."));
	});

	listen("/api/runs/events", {}, {
		runs: ({ runs, tournaments }) => {
			rows = runs;
			fresh();
			others.hidden = tournaments.length === 0;
			refill(others, h("h2", null, "Tournaments"), h("ul", { class: "plain" }, tournaments.map((one) =>
				h("li", null, h("strong", null, one.name), !one.readable ? h("span", MUTED, " is not finished, or cannot be read") : ` ${one.game}, ${one.agents} agents, ${one.interrupted_at === null ? "" : `interrupted at ${count(one.interrupted_at)} of `}${count(one.games_per_pair)} games per pair. First: ${one.first}.`))));
		},
		run: (run) => {
			const before = rows.find((one) => one.name === run.name);
			rows = before ? rows.map((one) => (one === before ? run : one)) : [...rows, run].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
			draw();
			if (before && before.state !== "finished" && run.state === "finished") page.announce(`${run.name} is finished. ${capital(run.verdict)}.`);
		},
		gone: ({ name }) => {
			rows = rows.filter((one) => one.name !== name);
			pick(name, false);
			draw();
		},
	}, page.left);
}
