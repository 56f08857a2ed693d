/** What came of a run, as tables: how strong it is, and how each seed went. */

import { badge, count, percent, sideName } from "./words.js";
import { table } from "./table.js";
/** @import {Column, Run, Seed} from "../types.js" */

const proven = (unbeatable) => (unbeatable === null ? badge(null, "not provable") : unbeatable ? badge("win", "unbeatable") : badge("loss", "beatable"));

/** @param {...Column<Run["strength"][number]>} against whom, and how that was found out */
export const strengthTable = (...against) => table("Strength", [
	{ name: "Side", show: (row) => sideName(row.side) },
	...against,
	...["best", "last"].flatMap((which) => ["win", "draw", "loss"].map((result) => ({
		name: `${which} ${result}`, kind: result === "win" ? "number first" : "number", show: (row) => percent(row[which]?.[result]),
	}))),
], (row) => `${row.side} ${row.opponent} ${row.method}`);

/** @param {...Column<Seed>} more columns */
export const seedsTable = (...more) => table("Seeds", [
	{ name: "Seed", kind: "number", by: (seed) => seed.seed, show: (seed) => seed.seed },
	{ name: "Best epoch", kind: "number", about: "Unbeatable if any is, then the best against the first opponent", by: (seed) => seed.best.epoch, show: (seed) => count(seed.best.epoch) },
	{ name: "Best is", by: (seed) => Number(seed.best.unbeatable), show: (seed) => proven(seed.best.unbeatable) },
	{ name: "Last epoch", kind: "number", by: (seed) => seed.last.epoch, show: (seed) => count(seed.last.epoch) },
	{ name: "Last is", by: (seed) => Number(seed.last.unbeatable), show: (seed) => proven(seed.last.unbeatable) },
	{ name: "Unbeatable from", kind: "number", about: "Episode, and to the end", by: (seed) => seed.unbeatable_from, show: (seed) => count(seed.unbeatable_from) },
	...more,
], (seed) => String(seed.seed));
