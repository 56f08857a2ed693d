/** A board of squares, columns or hexagons, with what is known of each. Arrows go from square to square; Enter or a click moves. */

import { h, refill, s } from "./dom.js";
import { sideName, sign } from "./words.js";
/** @import {Game, LegalMove, Note, Position} from "../types.js" */

/** Half the height of a hexagon that is 100 wide, and from one row of them to the next. */
const RADIUS = 100 / Math.sqrt(3);
const STEP = 1.5 * RADIUS;

/** @param {Game} game @param {(move: string) => void} choose gets the move of a square, if it has one */
export function board(game, choose) {
	const { width, height, shape } = game;
	const slanted = shape === "hexagons";
	const numbered = game.labels.rows !== null;
	// Labels are as large on the screen whatever the number of squares.
	const size = 4 + 3 * width;
	const margin = { left: numbered ? 10 + 1.6 * size : 4, top: 8 + 1.6 * size, right: slanted ? 14 : 4, bottom: slanted ? 14 : 4 };
	const wide = margin.left + margin.right + width * 100 + (slanted ? (height - 1) * 50 : 0);
	const high = margin.top + margin.bottom + (slanted ? (height - 1) * STEP + 2 * RADIUS : height * 100);
	/** The middle of a square. @param {number} row @param {number} column */
	const middle = (row, column) => slanted
		? [margin.left + 50 + column * 100 + row * 50, margin.top + RADIUS + row * STEP]
		: [margin.left + 50 + column * 100, margin.top + 50 + row * 100];

	/** @type {{group: SVGGElement, content: SVGGElement, row: number, column: number}[]} */
	const cells = [];
	let here = Math.floor(height / 2) * width + Math.floor(width / 2);
	/** @type {Position|null} */
	let position = null;
	let playable = false;

	const hexagon = (radius) => Array.from({ length: 6 }, (_, i) => corner(i, radius)).join(" ");
	const rows = Array.from({ length: height }, (_, row) =>
		s("g", { role: "row" }, Array.from({ length: width }, (_, column) => {
			const [x, y] = middle(row, column);
			const content = s("g");
			const shapeOf = (name, inset = 0) => slanted
				? s("polygon", { class: name, points: hexagon(RADIUS - (inset || 1.5)) })
				: s("rect", { class: name, x: -50 + inset, y: -50 + inset, width: 100 - 2 * inset, height: 100 - 2 * inset, rx: inset ? 5 : 0 });
			const index = cells.length;
			const group = s("g", {
				role: "gridcell", tabindex: -1, transform: `translate(${x} ${y})`, class: "square",
				onclick: () => (focus(index, false), act(index)), onfocus: () => (here = index),
				onpointerenter: () => hover(index), onpointerleave: () => hover(-1),
			}, shapeOf("ground"), content, shapeOf("ring", 3));
			cells.push({ group, content, row, column });
			return group;
		})));

	const svg = s("svg", { class: `board ${shape} ${game.pieces} ${width > 5 ? "large" : ""}`, viewBox: `0 0 ${wide} ${high}`, role: "grid", "aria-label": `Board of ${game.name}`, onkeydown: keys },
		s("g", { class: "labels", "aria-hidden": "true", "font-size": size },
			game.labels.columns.map((name, column) => s("text", { x: middle(0, column)[0], y: 1.2 * size }, name)),
			(game.labels.rows ?? []).map((name, row) => s("text", { x: slanted ? middle(row, 0)[0] - 70 - size / 2 : 0.9 * size, y: middle(row, 0)[1] + size / 3 }, name))),
		slanted ? edges() : s("rect", { class: "frame", x: margin.left, y: margin.top, width: width * 100, height: height * 100 }),
		rows);
	// A frame of its own, so that a board is never higher than the window.
	const element = h("div", { class: "board-box" }, svg);
	element.style.setProperty("--shape", String(wide / high));

	/** The sides that are to be connected: X's above and below, O's left and right. */
	function edges() {
		// White shows on white by its rim.
		const line = (name, points) => [" rim", ""].map((rim) =>
			s("polyline", { class: `edge ${name}${rim}`, points: points.map((point) => point.join(",")).join(" ") }));
		const at = (row, column, i) => {
			const [x, y] = middle(row, column);
			const [dx, dy] = corner(i, RADIUS + 5).split(",").map(Number);
			return [x + dx, y + dy];
		};
		const across = [...Array(width).keys()], down = [...Array(height).keys()];
		return [
			line("o", down.flatMap((row) => [at(row, 0, 4), at(row, 0, 3)])),
			line("o", down.flatMap((row) => [at(row, width - 1, 0), at(row, width - 1, 1)])),
			line("x", across.flatMap((column) => [at(0, column, 4), at(0, column, 5), at(0, column, 0)])),
			line("x", across.flatMap((column) => [at(height - 1, column, 3), at(height - 1, column, 2), at(height - 1, column, 1)])),
		];
	}

	/** The move that a square stands for. @param {number} index */
	function moveAt(index) {
		const { row, column } = cells[index];
		return position?.legal.find((move) => move.column === column && (shape === "columns" || move.row === row)) ?? null;
	}

	function act(index) {
		const move = moveAt(index);
		if (playable && move) choose(move.move);
	}

	/** Marks the square where a stone would land. @param {LegalMove|null|undefined} move */
	function aim(move) {
		for (const { group, row, column } of cells) group.classList.toggle("aimed", !!move && move.row === row && move.column === column);
	}

	/** @param {number} index */
	const hover = (index) => aim(index < 0 || !playable ? null : moveAt(index));

	function focus(index, really = true) {
		cells[here].group.setAttribute("tabindex", "-1");
		here = index;
		cells[here].group.setAttribute("tabindex", "0");
		if (really) {
			cells[here].group.focus();
			hover(here);
		}
	}

	function keys(event) {
		const { row, column } = cells[here];
		/** @type {Object<string, [number, number]>} */
		const to = {
			ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
			Home: [row, 0], End: [row, width - 1], PageUp: [0, column], PageDown: [height - 1, column],
		};
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		if (event.key === "Enter" || event.key === " ") act(here);
		else if (to[event.key]) {
			const [r, c] = to[event.key];
			if (r >= 0 && r < height && c >= 0 && c < width) focus(r * width + c);
		} else return;
		event.preventDefault();
	}

	return {
		element,
		/** Puts the focus where it was last. */
		focus: () => focus(here),
		/**
		 * Shows a position.
		 * @param {Position} now
		 * @param {{playable?: boolean, notes?: Map<string, Note>, before?: string[]|null, showLegal?: boolean}} [more]
		 * `notes` by move; `before`: the rows of the position before, to show what turns; `showLegal`: where discs turn, whether to mark legal moves.
		 */
		show(now, more = {}) {
			position = now;
			playable = more.playable ?? false;
			const last = now.history?.at(-1);
			const line = lastLine(now, game);
			const empty = now.rows.join("").split(".").length - 1;
			const showLegal = more.showLegal && now.discs && now.legal.length < empty;
			svg.classList.toggle("playable", playable);
			for (const [index, { group, content, row, column }] of cells.entries()) {
				const piece = now.rows[row][column];
				const move = now.legal.find((one) => one.row === row && one.column === column);
				const note = move && more.notes?.get(move.move);
				const isLast = !!last && last.row === row && last.column === column;
				const turned = more.before && more.before[row][column] !== "." && more.before[row][column] !== piece;
				refill(content,
					piece !== "." && pieceOf(piece, game.pieces),
					isLast && piece !== "." && s("circle", { class: "last", ...(game.pieces === "marks" ? { r: 5, cx: -38, cy: -38 } : { r: 7 }) }),
					note ? noteOf(note, width > 5, slanted) : move && piece === "." && showLegal && s("circle", { class: "legal", r: 9 }));
				group.setAttribute("class", ["square", piece !== "." && `of-${piece.toLowerCase()}`, move && playable && "open", turned && "turned",
					isLast && "is-last", line.has(index) && "in-line", note?.truth && `is-${note.truth}`, note?.mistake && "is-mistake"].filter(Boolean).join(" "));
				group.setAttribute("tabindex", index === here ? "0" : "-1");
				const name = squareName(game, row, column);
				group.setAttribute("aria-label", [name, piece === "." ? "empty" : piece, isLast && "last move", note?.words,
					playable && moveAt(index) && !note?.words && "can be played"].filter(Boolean).join(", "));
			}
		},
		/** Marks the square of a move, as when a row of a table is pointed at. @param {string} [move] */
		point: (move) => aim(position?.legal.find((one) => one.move === move)),
	};
}

/** A corner of a hexagon, clockwise from the upper right. @param {number} i @param {number} radius */
function corner(i, radius) {
	const angle = (Math.PI / 180) * (60 * i - 30);
	return `${(radius * Math.cos(angle)).toFixed(2)},${(radius * Math.sin(angle)).toFixed(2)}`;
}

/** @param {Game} game @param {number} row @param {number} column */
function squareName(game, row, column) {
	const columnName = game.labels.columns[column];
	return game.labels.rows ? columnName + game.labels.rows[row] : `column ${columnName}, row ${game.height - row}`;
}

/** @param {string} side @param {Game["pieces"]} pieces */
function pieceOf(side, pieces) {
	if (pieces !== "marks") return s("circle", { class: "piece", r: 36 });
	return side === "X" ? s("path", { class: "piece", d: "M-25 -25 25 25M25 -25 -25 25" }) : s("circle", { class: "piece", r: 27 });
}

/** @param {Note} note @param {boolean} large whether squares are small, as the board is large @param {boolean} slanted */
function noteOf(note, large, slanted) {
	const { text, bar, truth } = note;
	const [cornerX, cornerY] = slanted ? [0, -38] : large ? [32, -32] : [36, -36];
	const wide = slanted ? 44 : 72;
	const track = (name, width) => s("rect", { class: name, x: -wide / 2, y: 30, width, height: 6, rx: 3 });
	return [
		text && s("text", { class: note.best ? "note best" : "note", y: slanted ? 12 : large ? 16 : 9 }, text),
		bar != null && track("track", wide),
		bar != null && bar > 0 && track("likely", Math.max(6, wide * bar)),
		truth && (text ? sign(truth, cornerX, cornerY, large ? 14 : 9.5) : sign(truth, 0, 0, large ? 24 : 17)),
		note.mistake && s("text", { class: "blunder", x: slanted ? -26 : -34, y: slanted ? -14 : -23 }, "?"),
	];
}

/** The squares of the straight line that ended the game, if one did. @param {Position} position @param {Game} game */
function lastLine(position, game) {
	const found = new Set();
	const { outcome, rows } = position;
	if (!outcome || outcome === "draw" || game.in_a_row === null) return found;
	const last = position.history?.at(-1);
	if (!last || last.row === null || last.column === null) return found;
	const piece = rows[last.row][last.column];
	for (const [down, across] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
		const line = [[last.row, last.column]];
		for (const way of [1, -1]) {
			for (let r = last.row + way * down, c = last.column + way * across; rows[r]?.[c] === piece; r += way * down, c += way * across) line.push([r, c]);
		}
		if (line.length >= game.in_a_row) for (const [r, c] of line) found.add(r * game.width + c);
	}
	return found;
}

/** A small picture of a position, with a name for those who cannot see it. @param {Game} game @param {string[]} rows @param {{row: number|null, column: number|null}|null} [mark] */
export function thumbnail(game, rows, mark) {
	const slanted = game.shape === "hexagons";
	const across = 100 * game.width + (slanted ? 50 * (game.height - 1) : 0);
	return s("svg", { class: `thumbnail ${game.pieces}`, viewBox: `-2 -2 ${across + 4} ${game.height * 100 + 4}`, "aria-hidden": "true" },
		rows.flatMap((row, r) => [...row].map((piece, c) => s("g", { transform: `translate(${c * 100 + 50 + (slanted ? 50 * r : 0)} ${r * 100 + 50})`, class: piece === "." ? "" : `of-${piece.toLowerCase()}` },
			s("rect", { class: mark && mark.row === r && mark.column === c ? "ground marked" : "ground", x: -50, y: -50, width: 100, height: 100 }),
			piece !== "." && pieceOf(piece, game.pieces)))));
}

/** Who has which pieces. @param {Game} game @param {string} side */
export function token(game, side) {
	const name = sideName(side);
	return s("svg", { class: `token ${game.pieces}`, viewBox: "-50 -50 100 100", role: "img", "aria-label": name }, s("g", { class: `of-${side}` }, pieceOf(name, game.pieces)));
}
