/** Games as files, in the form that `lab play` saves and loads. */

/** @param {string} game @param {string} moves */
export function save(game, moves) {
	const text = `game = "${game}"\nmoves = "${moves}"\n`;
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
	link.download = `${game}.toml`;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The game and the moves in a saved file; null if it is none. @param {string} text */
export function read(text) {
	const key = (name) => new RegExp(`^\\s*${name}\\s*=\\s*["']([^"']*)["']`, "m").exec(text)?.[1];
	const [game, moves] = [key("game"), key("moves")];
	return game === undefined || moves === undefined ? null : { game, moves };
}
