/** A position or a game as text: to copy, to paste, to save and to load. */

import { button, copier, h } from "./dom.js";
import { splitMoves } from "./words.js";
import { get } from "../api.js";
import { guard } from "./guard.js";
import { read, save } from "./file.js";

/**
 * @param {Object} how
 * @param {() => {game: string, start: string|null, moves: string[], text: string}} how.now
 * @param {(to: {game: string, start: string|null, moves: string[]}) => void} how.go
 */
export function setup({ now, go }) {
  const trouble = h("p", { class: "trouble", role: "alert" });
  const input = h("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "Moves or a position" });
  const file = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true", accept: ".toml,.txt", onchange: load });

  /** Tries a text as moves, and as a position where it is none. */
  async function paste() {
    const text = input.value.trim();
    const { game } = now();
    await guard(trouble, async () => {
      const moves = splitMoves(text);
      const looksLikeMoves = !/[./-]{2}|\//.test(text);
      const found = await get("/api/position", looksLikeMoves ? { game, moves: moves.join(",") } : { game, position: text });
      input.value = "";
      go({ game, start: looksLikeMoves ? null : found.text, moves: looksLikeMoves ? moves : [] });
    });
  }

  async function load() {
    const text = await file.files?.[0]?.text();
    file.value = "";
    if (text === undefined) return;
    await guard(trouble, async () => {
      const found = read(text);
      if (!found) {
        trouble.textContent = "This file is no saved game. One has two lines: game = \"NAME\" and moves = \"MOVES\".";
        throw new DOMException("", "AbortError");
      }
      await get("/api/position", found);
      go({ game: found.game, start: null, moves: splitMoves(found.moves) });
    });
  }

  const element = h("details", { class: "setup" }, h("summary", null, "Copy, paste, save"),
    h("form", { class: "bar", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), paste()) },
      h("label", { class: "field grow" }, h("span", null, "Moves or a position"), input), h("button", null, "Set up")),
    trouble,
    h("div", { class: "bar tight" },
      copier("Copy the moves", () => now().moves.join(",")), copier("Copy the position", () => now().text), copier("Copy a link", () => location.href),
      button("Save the game", () => save(now().game, now().moves), { class: "quiet save" }),
      button("Load a game", () => file.click(), { class: "quiet" }), file));
  return {
    element,
    /** A game from a position of its own cannot be saved, as a file has moves from the start only. @param {boolean} able */
    canSave(able) {
      /** @type {HTMLButtonElement} */ (element.querySelector(".save")).disabled = !able;
    },
  };
}
