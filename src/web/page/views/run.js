/** One run: verdict, curves, numbers and config, live while it trains. */

import { MUTED, copier, h, heading, put, refill, section, tick } from "../parts/dom.js";
import { address, described, duration, shellWord, sideName, when } from "../parts/words.js";
import { chart } from "../parts/chart.js";
import { figure } from "../parts/figure.js";
import { guard, troubles } from "../parts/guard.js";
import { seedsTable, strengthTable } from "../parts/results.js";
import { get, listen, query } from "../api.js";
import { state, verdict } from "./runs.js";
/** @import {Run, View} from "../types.js" */

/** @type {View} */
export function run(root, page) {
	const name = page.query.get("name") ?? "";
	page.title(name);
	let seeds = false;
	/** @type {Run|null} */
	let last = null;

	const lead = h("span");
	const verdicts = h("div", { class: "verdicts" });
	const actions = h("div", { class: "bar", onfocusout: () => setTimeout(act) });
	const trouble = troubles();
	const noPicture = troubles();
	const picture = figure();
	const svg = h("a", { class: "button quiet", download: `${name.replaceAll("/", "-")}.svg` }, "Save as SVG");
	const strength = strengthTable({ name: "Against", show: (row) => [row.opponent, h("span", MUTED, row.method === "exact" ? "" : ` (${row.method})`)] });
	const seedTable = seedsTable({ name: h("span", { class: "unseen" }, "Look inside"), kind: "go", show: (seed) => seed.checkpoints.length > 0 && h("a", { href: address("inside", { run: name, seed: seed.seed }), "aria-label": `Look inside seed ${seed.seed}` }, "Look inside") });
	const strengthBox = section("How strong it is", "Its rates at the best and at the last checkpoint, mean over the seeds.", strength.element);
	const seedBox = section("Seeds", "Each seed is an independent training of the same config. One alone proves nothing.", seedTable.element);
	const logs = h("div", { class: "logs" });
	const logBox = section("What it says about itself", "The learner's own numbers, mean over the seeds.", logs);
	const config = h("code");
	const made = h("dl", { class: "facts" });

	const curveBox = h("section", null, h("div", { class: "section-head" }, h("h2", null, "How it learned"), h("div", { class: "bar" }, tick("Every seed", seeds, (on) => {
		seeds = on;
		draw();
	}), svg)),
		h("p", MUTED, "Left: the untrained agent. Right: the last epoch. Point at a curve to read it, drag or double-click to zoom in."), noPicture, picture.element);
	const configBox = section("Its config", "Training this again repeats the run, byte for byte.",
		h("details", null, h("summary", null, "config.toml"), h("div", { class: "code" }, copier("Copy", () => last?.config ?? ""), h("pre", { tabindex: 0, role: "group", "aria-label": "config.toml" }, config))), made);

	const boxes = [curveBox, strengthBox, seedBox, logBox, configBox];
	for (const box of boxes) box.hidden = true;
	put(root,
		heading(name, lead, h("a", { href: "#/runs" }, "Runs")),
		trouble, verdicts, actions, boxes);

	const draw = () => guard(noPicture, async () => {
		const asked = { name, seeds: seeds || null };
		await picture.show(get("/api/figure", asked, page.left));
		svg.href = `/api/figure.svg${query(asked)}`;
	});

	/** @type {Map<string, ReturnType<typeof chart>>} */
	const charts = new Map();
	let round = 0;
	const drawLogs = () => guard(trouble, async () => {
		const mine = ++round;
		const { columns, meanings, sides } = await get("/api/run/training", { name }, page.left);
		if (mine !== round) return;
		const colors = ["#0072b2", "#d55e00"];
		for (const column of columns) {
			const series = sides.map((side, i) => ({
				name: sideName(side.side), color: colors[i % 2], dash: i ? [6, 4] : null,
				points: side.episodes.map((x, k) => [x, side.series[column]?.[k] ?? null]).filter((point) => point[1] !== null),
			})).filter((one) => one.points.length > 1);
			if (!series.length) continue;
			let one = charts.get(column);
			if (!one) {
				one = chart({ label: `${meanings[column] ?? column} by episodes`, height: 180, onpoint: (x) => charts.forEach((other) => other.setCursor(x)) });
				charts.set(column, one);
				put(logs, one.element);
			}
			const values = series.flatMap((each) => each.points.map((point) => point[1]));
			const low = Math.min(0, ...values), high = Math.max(...values);
			const end = Math.max(...sides.flatMap((side) => side.episodes));
			one.update({ title: meanings[column] ?? column.replaceAll("_", " "), y: { label: column, low, high: high > low ? high : low + 1 }, series, levels: [], marks: [] }, { label: "episodes", low: 0, high: end });
		}
		logBox.hidden = charts.size === 0;
	});

	/** What can be done with it; a bar that is in use changes afterwards. */
	function act() {
		if (!last || actions.contains(document.activeElement)) return;
		const { row, sides, learns, seeds: all } = last;
		const has = all.some((seed) => seed.checkpoints.length > 0);
		const person = sides.join() === "x" ? { x: `run:${name}`, o: "human" } : { x: "human", o: `run:${name}` };
		const now = h("div", { class: "bar" },
			has && learns && h("a", { class: "button primary", href: address("inside", { run: name }) }, "Look inside"),
			has && h("a", { class: "button", title: `Seed ${all[0].seed}, best checkpoint`, href: address("play", { game: row.game, ...person }) }, "Play against it"),
			row.sweep && learns && h("a", { class: "button", href: address("compare", { name: row.sweep }) }, "Compare its sweep"),
			row.state === "unfinished" && h("p", MUTED, "lab train --resume goes on with it."),
			!has && learns && h("p", MUTED, row.state === "training" ? "You can look inside once there is a checkpoint." : "There are no checkpoints."));
		// What is clicked stays.
		if (!now.isEqualNode(actions)) refill(actions, [...now.childNodes]);
	}

	function show(now) {
		// The first event repeats the first answer.
		if (last && JSON.stringify(last) === JSON.stringify(now)) return;
		last = now;
		trouble.textContent = "";
		const { row } = now;
		lead.textContent = described(now);
		refill(verdicts, h("p", { class: "verdict-head" }, verdict(row), state(row)),
			now.verdicts.map((text) => h("p", null, text)));
		act();
		strength.update(now.strength);
		strengthBox.hidden = now.strength.length === 0;
		seedTable.update(now.seeds);
		// An agent that does not learn is only measured.
		curveBox.hidden = seedBox.hidden = !now.learns || !now.strength.length;
		configBox.hidden = false;
		if (config.textContent !== now.config) config.textContent = now.config;
		const facts = h("dl", { class: "facts" }, [
			["Command", now.command && h("code", null, now.command.map(shellWord).join(" "))], ["Started", now.started && when(now.started)],
			["Took", now.seconds !== null && duration(now.seconds)], ["Version", now.version],
		].filter(([, value]) => value).map(([term, value]) => h("div", null, h("dt", null, term), h("dd", null, value))));
		if (!facts.isEqualNode(made)) refill(made, [...facts.children]);
		// Before the first epoch there is nothing to draw.
		if (curveBox.hidden) return;
		draw();
		drawLogs();
	}

	/** Shows nothing but why there is nothing, until there is. @param {string} why */
	function gone(why) {
		last = null;
		round++;
		charts.clear();
		for (const place of [lead, verdicts, actions, logs]) refill(place);
		for (const box of boxes) box.hidden = true;
		if (trouble.textContent !== why) trouble.textContent = why;
	}

	guard(trouble, async () => show(await get("/api/run", { name }, page.left)));
	listen("/api/run/events", { name }, { run: show, refused: gone }, page.left);
}
