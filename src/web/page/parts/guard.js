/** Errors are shown where they arise. */

import { h } from "./dom.js";
import { Refusal } from "../api.js";

/** A place for errors. */
export const troubles = () => h("p", { class: "trouble", role: "alert" });

/** Does something, and returns whether it did; an element says why not. It clears what stood there before, not what came meanwhile. @param {HTMLElement} place @param {() => Promise<void>} act */
export async function guard(place, act) {
	const before = place.firstChild;
	try {
		await act();
		if (place.firstChild === before) place.textContent = "";
		return true;
	} catch (error) {
		if (error instanceof DOMException && error.name === "AbortError") return false;
		place.textContent = error instanceof Refusal ? error.message : `The page failed: ${error}`;
		if (!(error instanceof Refusal)) console.error(error);
		return false;
	}
}
