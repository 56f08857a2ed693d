/** A game as the page keeps it: its start, its moves, and how many are on the board. */

import { splitMoves } from "./words.js";
import { recall } from "../api.js";
/** @import {Position} from "../types.js" */

export class Trail {
	game = "";
	/** @type {string|null} */
	start = null;
	/** @type {string[]} */
	line = [];
	at = 0;

	constructor(query) {
		this.begin(query.get("game") ?? "tic-tac-toe", query.get("position"), splitMoves(query.get("moves")));
	}

	/** @param {string} game @param {string|null} start if it is not the game's @param {string[]} line */
	begin(game, start = null, line = []) {
		this.game = game;
		this.start = start;
		this.line = line;
		this.at = line.length;
	}

	/** The query for the position after `ply` moves, also for the address. @param {number} [ply] */
	asked(ply = this.at) {
		return { game: this.game, moves: this.line.slice(0, ply).join(","), ...(this.start === null ? {} : { position: this.start }) };
	}

	/** Makes a move in place of all that came after; returns how many there are then. @param {string} move */
	make(move) {
		if (this.line[this.at] !== move) this.line = [...this.line.slice(0, this.at), move];
		return this.at + 1;
	}

	/** The position after `ply` moves. @param {number} ply @returns {Promise<Position>} */
	async position(ply) {
		const { line } = this;
		const position = await recall("/api/position", this.asked(ply));
		// The program writes moves in one way only.
		line.splice(0, ply, ...position.history.map((past) => past.move));
		return position;
	}
}
