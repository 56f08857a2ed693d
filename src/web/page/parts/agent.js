/** Who plays: a person, an agent, or what a run has learned. */

import { MUTED, choice, h, refill } from "./dom.js";
import { get, recall } from "../api.js";
/** @import {AgentKind} from "../types.js" */

/** @type {AgentKind[]} */
let kinds = [];
/** @type {string[]} the names of runs, of which one may be `lr=0.1,eps=0.2` */
let runNames = [];
const ask = async () => (kinds = (await recall("/api/agents")).agents);
// Names of agents are wanted at once; whoever shows agents says what is wrong.
await ask().catch(() => {});

/** @param {string} name */
const kindOf = (name) => kinds.find((kind) => kind.names.includes(name));

/** A specification in its parts. @param {string} spec */
function parse(spec) {
	const colon = spec.indexOf(":");
	const name = colon < 0 ? spec : spec.slice(0, colon);
	const kind = kindOf(name);
	const type = kind?.subject?.type;
	// Files and programs have no options that the server would take.
	if (!kind || type === "file" || type === "command") return { name: spec, subject: "", options: new Map() };
	const rest = colon < 0 ? "" : spec.slice(colon + 1);
	const known = runNames.filter((one) => `${rest},`.startsWith(`${one},`)).sort((a, b) => b.length - a.length);
	// A run may be called `c=0.5`.
	const run = type === "run" ? known[0] ?? rest.split(",")[0] : "";
	const words = rest.slice(run.length).split(",").filter(Boolean);
	const subject = run || (words.length && !words[0].includes("=") ? words.shift() ?? "" : "");
	return { name, subject, options: new Map(words.map((word) => /** @type {[string, string]} */ ([word.split("=")[0], word.slice(word.indexOf("=") + 1)]))) };
}

/** @param {string} name @param {string} subject @param {Map<string, string>} options */
function format(name, subject, options) {
	const words = [subject, ...[...options].map(([key, value]) => `${key}=${value}`)].filter(Boolean);
	return words.length ? `${name}:${words.join(",")}` : name;
}

/** What most people set stands first. */
const FIRST_OPTIONS = ["simulations", "c", "depth", "epsilon", "milliseconds", "selection"];
const rank = (option) => (FIRST_OPTIONS.indexOf(option.name) + 99) % 99;

/** What to call an agent in a menu. @param {string} spec */
export function agentName(spec) {
	if (spec === "human") return "Person";
	const { name, subject, options } = parse(spec);
	const more = [subject, ...[...options].map(([key, value]) => `${key} ${value}`)].filter(Boolean).join(", ");
	return more ? `${name}: ${more}` : name;
}

/** Whom to play if no opponent was chosen. @param {string[]} specs the menu */
export const opponentOf = (specs) => specs.find((spec) => kinds.some((kind) => kind.opponent === spec)) ?? specs[0];

/**
 * @param {Object} how
 * @param {string} how.label such as `X`
 * @param {any} [how.before] stands before the label
 * @param {string} how.game
 * @param {string} how.spec who plays at first; `human` for a person
 * @param {boolean} [how.person] whether a person may be chosen
 * @param {(spec: string) => void} how.change
 */
export function agentPicker({ label, before, game, spec, person = false, change }) {
	let chosen = spec;
	/** @type {string[]} what runs of the game learned */
	let learned = [];
	const select = h("select", { onchange: () => choose(select.value) });
	const options = h("details", { class: "options", hidden: true });
	const element = h("div", { class: "picker" }, h("label", { class: "field" }, h("span", null, before, label), select), options);

	function choose(to) {
		chosen = to;
		ensure();
		form();
		change(chosen);
	}

	/** Puts what is chosen into the menu, if it is not there. */
	function ensure() {
		if (![...select.options].some((option) => option.value === chosen)) select.append(choice(chosen, agentName(chosen)));
		select.value = chosen;
	}

	function form() {
		const { name, subject, options: set } = parse(chosen);
		const kind = kindOf(name);
		const fields = (kind?.options ?? []).filter((option) => /run:|checkpoint|seed/.test(chosen) || !/checkpoint|seed/.test(option.name));
		options.hidden = fields.length === 0;
		if (!kind || !fields.length) return;
		const apply = (option, value) => {
			if (value === "" || value === option.default) set.delete(option.name);
			else set.set(option.name, value);
			chosen = format(name, subject, set);
			ensure();
			if (option.name === "evaluation") form();
			change(chosen);
		};
		const { open } = options;
		const who = label.split(",")[0];
		const list = `runs-${who}`;
		refill(options, h("summary", null, `Options of ${who}`), h("datalist", { id: list }, learned.map((one) => choice(one))), h("p", { class: "muted small" }, kind.plays), h("div", { class: "option-grid" }, fields.sort((a, b) => rank(a) - rank(b)).map((option) => {
			const value = set.get(option.name) ?? option.default ?? "";
			const choices = option.type === "boolean" ? ["true", "false"] : option.choices;
			const input = choices
				? h("select", { onchange: () => apply(option, input.value) }, [...new Set([value, ...choices])].map((one) => choice(one, one || "–")))
				: h("input", {
					type: option.type === "integer" || (option.type === "number" && (value === "" || !Number.isNaN(Number(value)))) ? "number" : "text",
					value, list: option.name === "evaluation" ? list : null, min: option.minimum, max: option.maximum, step: option.type === "number" ? "any" : null, spellcheck: "false",
					onchange: () => input.reportValidity() && apply(option, input.value),
				});
			if (choices) input.value = value;
			return h("label", { class: "field" }, h("span", null, option.name), input, h("small", MUTED, option.about.replaceAll("`", "")));
		})));
		options.open = open;
	}

	(async () => {
		const [{ games }, { runs }] = await Promise.all([recall("/api/games"), get("/api/runs"), ask()]);
		const known = games.find((one) => one.name === game);
		runNames = runs.map((one) => one.name);
		learned = runs.filter((run) => run.readable && run.game === game && run.epochs > 0).map((run) => `run:${run.name}`);
		refill(select,
			person && choice("human", "Person"),
			h("optgroup", { label: "Agents" }, (known?.agents ?? []).map((one) => choice(one, agentName(one)))),
			learned.length > 0 && h("optgroup", { label: "Learned in a run" }, learned.map((one) => choice(one, one.slice(4)))));
		ensure();
		form();
	})().catch(() => ensure());

	return element;
}

/** A menu of the games. @param {() => string} chosen @param {(game: string) => void} choose */
export function gamePicker(chosen, choose) {
	const select = h("select", { onchange: () => choose(select.value) }, h("option", null, chosen()));
	recall("/api/games").then(({ games }) => {
		refill(select, games.map((game) => choice(game.name, `${game.name} – ${game.summary}`)));
		select.value = chosen();
	}, () => {});
	return h("label", { class: "field game" }, h("span", null, "Game"), select);
}
