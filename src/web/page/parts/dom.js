/** Elements without markup: whatever comes from outside is text, never HTML. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. A property `onclick` and the like listens; `true` sets an attribute, `false` and null leave it out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Object<string, any>|null} [properties]
 * @param {...any} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, properties, ...children) {
	return fill(document.createElement(name), properties, children);
}

/** An SVG element, likewise. @template {keyof SVGElementTagNameMap} K @param {K} name @param {Object<string, any>|null} [properties] @param {...any} children @returns {SVGElementTagNameMap[K]} */
export function s(name, properties, ...children) {
	return fill(document.createElementNS(SVG, name), properties, children);
}

/** Sets an element's properties. @template {Element} E @param {E} element @param {Object<string, any>|null|undefined} properties @param {any[]} [children] @returns {E} */
export function fill(element, properties, children = []) {
	for (const [key, value] of Object.entries(properties ?? {})) {
		if (value == null || value === false) continue;
		if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
		else if (key === "value") /** @type {any} */ (element).value = value;
		else element.setAttribute(key, value === true ? "" : String(value));
	}
	put(element, ...children);
	return element;
}

/** Appends children; nothing for null and false. @param {Element} element @param {...any} children */
export function put(element, ...children) {
	for (const child of children.flat(Infinity)) {
		if (child == null || child === false) continue;
		element.append(child instanceof Node ? child : String(child));
	}
}

/** Puts these children in place of all that were there. @param {Element} element @param {...any} children */
export function refill(element, ...children) {
	element.replaceChildren();
	put(element, ...children);
}

export const MUTED = { class: "muted" };

/** A button. @param {any} label @param {(event: Event) => void} act @param {Object<string, any>} [properties] */
export function button(label, act, properties) {
	return h("button", { type: "button", onclick: act, ...properties }, label);
}

/** A button that does not stand out. @param {any} label @param {(event: Event) => void} act */
export const quiet = (label, act) => button(label, act, { class: "quiet" });

export const pulse = () => h("span", { class: "pulse", "aria-hidden": "true" });

/** What a view is, in a word and a sentence. @param {string} title @param {any} lead @param {...any} above a way back */
export const heading = (title, lead, ...above) => h("header", { class: "head" }, above.length > 0 && h("p", { class: "crumbs" }, above), h("h1", null, title), h("p", { class: "lead" }, lead));

/** A section with its heading. @param {string} title @param {string} about @param {...any} children */
export const section = (title, about, ...children) => h("section", null, h("h2", null, title), h("p", MUTED, about), children);

/** An entry of a menu. @param {string} value @param {string} [shown] */
export const choice = (value, shown = value) => h("option", { value }, shown);

/** What a menu offers. @param {(string|string[])[]} choices values, or values with what is shown */
export const options = (choices) => choices.map((one) => choice(...[one].flat()));

/** A labelled menu. @param {string} label @param {(string|string[])[]} choices see `options` @param {string} chosen @param {(value: string) => void} choose */
export function menu(label, choices, chosen, choose) {
	const select = h("select", { onchange: () => choose(select.value) }, options(choices));
	select.value = chosen;
	return h("label", { class: "field" }, h("span", null, label), select);
}

/** A box to tick. @param {any} label @param {boolean} ticked @param {(ticked: boolean) => void} change */
export function tick(label, ticked, change) {
	const box = h("input", { type: "checkbox", checked: ticked, onchange: () => change(box.checked) });
	return h("label", { class: "tick" }, box, label);
}

/** One of a few, side by side. @param {string} label @param {[string, string][]} choices values and what is shown @param {string} chosen @param {(value: string) => void} choose */
export function segments(label, choices, chosen, choose) {
	const name = `segments-${segments.count++}`;
	return h("fieldset", { class: "segments" }, h("legend", { class: "unseen" }, label), choices.map(([value, shown]) =>
		h("label", null, h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => choose(value) }), h("span", null, shown))));
}
segments.count = 0;

/** A button that copies a text, and says so for a moment. @param {string} label @param {() => string} text */
export function copier(label, text) {
	const copy = quiet(label, async () => {
		try {
			await navigator.clipboard.writeText(text());
			copy.textContent = "Copied";
		} catch {
			copy.textContent = "Not allowed here";
		}
		/** @type {HTMLElement} */ (document.getElementById("announcer")).textContent = copy.textContent;
		setTimeout(() => (copy.textContent = label), 1500);
	});
	return copy;
}
