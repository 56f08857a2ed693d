/** A position or a game as text: to copy, to paste, to save and to load. */

import { copier, h, quiet } from "./dom.js";
import { splitMoves } from "./words.js";
import { get, Refusal } from "../api.js";
import { guard, troubles } from "./guard.js";
/** @import {Trail} from "./trail.js" */

/** Saves a game in the form that `lab play` saves and loads. @param {string} game @param {string} moves */
function save(game, moves) {
	const text = `game = "${game}"\nmoves = "${moves}"\n`;
	const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
	h("a", { href, download: `${game}.toml` }).click();
	setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** The game and the moves in a saved file; null if it is not one. @param {string} text */
function read(text) {
	const key = (name) => new RegExp(`^\\s*${name}\\s*=\\s*["']([^"']*)["']`, "m").exec(text)?.[1];
	const [game, moves] = [key("game"), key("moves")];
	return game === undefined || moves === undefined ? null : { game, moves };
}

/** @param {Trail} trail @param {() => string} text the position @param {(isOther: boolean) => void} go shows what was set up */
export function setup(trail, text, go) {
	const trouble = troubles();
	const input = h("input", { type: "text", required: true, spellcheck: "false", autocomplete: "off", "aria-label": "Moves or a position" });
	const file = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true", accept: ".toml,.txt", onchange: load });

	/** @param {string} game @param {string|null} start @param {string[]} line */
	async function set(game, start, line) {
		await get("/api/position", { game, position: start, moves: line.join(",") });
		const isOther = game !== trail.game;
		trail.begin(game, start, line);
		go(isOther);
	}

	const paste = () => guard(trouble, async () => {
		const given = input.value.trim();
		const isPosition = /[./-]{2}|\//.test(given);
		await set(trail.game, isPosition ? given : null, isPosition ? [] : splitMoves(given));
		input.value = "";
	});

	async function load() {
		const saved = await file.files?.[0]?.text();
		file.value = "";
		if (saved === undefined) return;
		await guard(trouble, async () => {
			const found = read(saved);
			if (!found) throw new Refusal("This file is not a saved game. One has two lines: game = \"NAME\" and moves = \"MOVES\".");
			await set(found.game, null, splitMoves(found.moves));
		});
	}

	return h("details", { class: "setup" }, h("summary", null, "Copy, paste, save"),
		h("form", { class: "bar", onsubmit: (event) => (event.preventDefault(), paste()) },
			h("label", { class: "field grow" }, h("span", null, "Moves or a position"), input), h("button", null, "Set up")),
		trouble,
		h("div", { class: "bar tight" },
			copier("Copy the moves", () => trail.asked().moves), copier("Copy the position", text), copier("Copy a link", () => location.href),
			quiet("Save the game", () => guard(trouble, async () => {
				if (trail.start) throw new Refusal("Only a game from its own start can be saved.");
				save(trail.game, trail.asked().moves);
			})),
			quiet("Load a game", () => file.click()), file));
}
