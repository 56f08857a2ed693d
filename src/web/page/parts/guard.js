/** Errors are shown where they arise. */

import { h, quiet, refill } from "./dom.js";
import { Refusal, SILENT } from "../api.js";

/** A place for errors. @param {string} [why] what stands there */
export const troubles = (why) => tell(h("p", { class: "trouble", role: "alert" }), why);

function tell(place, why) {
	refill(place, why, why === SILENT && [" ", quiet("Try again", () => location.reload())]);
	return place;
}

/** Does something, and returns whether it did; an element says why not. It clears what stood there before, not what came meanwhile. @param {HTMLElement} place @param {() => Promise<void>} act */
export async function guard(place, act) {
	const before = place.firstChild;
	try {
		await act();
		if (place.firstChild === before) place.textContent = "";
		return true;
	} catch (error) {
		if (error.name === "AbortError") return false;
		const refused = error instanceof Refusal;
		tell(place, refused ? error.message : `The page failed: ${error}`);
		if (!refused) console.error(error);
		return false;
	}
}
