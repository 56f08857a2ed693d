/** How numbers, sides and values are written, once for all views. */

import { MUTED, h, s } from "./dom.js";
/** @import {Num, Run, Value} from "../types.js" */

/** @param {string} side */
export const sideName = (side) => (side === "both" ? "X and O" : side.toUpperCase());

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A number with commas. @param {Num} number */
export const count = (number) => (number == null ? "–" : whole.format(number));

/** `1 game`, `2 games`. @param {number} number @param {string} thing */
export const things = (number, thing) => `${count(number)} ${thing}${number === 1 ? "" : "s"}`;

/** A run in a sentence. @param {Run} run */
export const described = ({ row, subject }) => `${subject} at ${row.game}, ${row.seeds === row.all_seeds ? "" : `${row.seeds} of `}${things(row.all_seeds, "seed")}${row.episodes ? `, ${row.all_seeds > 1 ? "each up to " : ""}${things(row.episodes, "episode")}` : ""}.`;

/** A rate in per cent; only exactly 0 and 100 read so. @param {Num} rate */
export function percent(rate, digits = 2) {
	if (rate == null) return "–";
	const [share, least] = [rate * 100, 10 ** -digits];
	const near = (end) => Math.abs(share - end) > 1e-10 && share.toFixed(digits) === end.toFixed(digits);
	return `${near(0) ? `<${least}` : near(100) ? `>${100 - least}` : share.toFixed(digits)}\u00a0%`;
}

/** A number with its sign and a true minus. @param {Num} number */
export function signed(number, digits = 2) {
	if (number == null) return "–";
	const text = Math.abs(number).toFixed(digits);
	return Number(text) === 0 ? text : (number < 0 ? "−" : "+") + text;
}

/** A number as short as it can be read. @param {Num} number */
export function short(number) {
	if (number == null) return "–";
	const size = Math.abs(number);
	if (size >= 1000 || Number.isInteger(number)) return count(number).replace("-", "−");
	const text = size >= 100 ? size.toFixed(1) : size >= 0.001 || size === 0 ? String(Number(size.toPrecision(4))) : size.toExponential(2);
	return (number < 0 ? "−" : "") + text;
}

/** @param {number} seconds */
export function duration(seconds) {
	if (seconds < 0.1) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
	if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
	if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
	return `${(seconds / 3600).toFixed(1)} h`;
}

/** `2026-11-02T10:00:00Z` as people write it here. @param {string|null} time */
export function when(time) {
	const date = new Date(time ?? "");
	return Number.isNaN(date.valueOf()) ? "–" : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** @type {Object<string, string>} */
const SIGNS = { win: "M-5 0H5M0 -5V5", draw: "M-5 -2.4H5M-5 2.4H5", loss: "M-5 0H5", mixed: "M-3.5 3.5L3.5 -3.5" };

/** The sign of a value: plus, equals or minus in a disc. @param {Value|"mixed"} value @param {number} [x] @param {number} [y] @param {number} [radius] */
export function sign(value, x = 0, y = 0, radius = 9) {
	return s("g", { class: `sign ${value}`, transform: `translate(${x} ${y}) scale(${radius / 9})`, "aria-hidden": "true" },
		s("circle", { r: 8.2 }), s("path", { d: SIGNS[value] }));
}

/** A value in words with its sign. @param {Value|"mixed"|null|undefined} value @param {any} [words] */
export function badge(value, words) {
	if (!value) return h("span", MUTED, words ?? "unknown");
	return h("span", { class: "badge" }, s("svg", { viewBox: "-9 -9 18 18", "aria-hidden": "true" }, sign(value)), words ?? value);
}

/** The result of perfect play, in words. @param {Value} value @param {Num} score @param {Num} distance */
export function worth(value, score, distance) {
	const end = typeof distance === "number" && distance > 0 ? ` in ${things(distance, "move")}` : "";
	const points = score ? ` (score ${signed(score, 0)})` : "";
	return value + end + points;
}

/** The first letter large. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** An address inside the page. @param {string} view @param {Object<string, string|number|null|undefined>} [values] */
export function address(view, values = {}) {
	const query = new URLSearchParams();
	for (const [key, value] of Object.entries(values)) if (value != null && value !== "") query.set(key, String(value));
	const text = query.toString().replace(/%(2C|3A|2F|3D)/g, decodeURIComponent);
	return `#/${view}${text && `?${text}`}`;
}

/** A word as a shell reads it: in quotes where it has to be. @param {string} word */
export const shellWord = (word) => (/^[\p{L}\p{N}\-_./=:,+@%]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The moves in a text such as `b2,a1` or `4455`. @param {string|null|undefined} text @returns {string[]} */
export function splitMoves(text) {
	const words = (text ?? "").split(/[\s,]+/).filter(Boolean);
	return words.flatMap((word) => (/^\d*([a-z]\d+|pass)*$/i.test(word) ? word.match(/pass|[a-z]\d+|\d/gi) ?? [] : word));
}
