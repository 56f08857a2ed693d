/** Requests to the program: plain ones, streams that end, and events that go on. */

/** @import {Game} from "./types.js" */

/** What the program refused, in its own words. */
export class Refusal extends Error {}

/** @param {Object<string, any>} values */
export function query(values) {
	const pairs = new URLSearchParams();
	for (const [key, value] of Object.entries(values)) {
		for (const one of [value].flat()) if (one != null) pairs.append(key, String(one));
	}
	return `?${pairs}`;
}

/** Why nothing comes. */
export const SILENT = "lab serve does not answer. Start it again and open the address that it prints.";

const silent = (signal) => (error) => {
	throw signal?.aborted ? error : new Refusal(SILENT);
};

/** @param {string} path @param {RequestInit} [how] @param {() => void} [wait] called when all places are taken; then it asks again until one is free */
async function ask(path, how, wait) {
	const response = await fetch(path, how).catch(silent(how?.signal));
	if (response.ok) return response;
	if (response.status === 401) throw new Refusal("This page is not signed in. Open the address that lab serve printed, with its token.");
	const body = await response.json().catch(() => null);
	how?.signal?.throwIfAborted();
	if (response.status === 429 && wait) {
		wait();
		await new Promise((go) => setTimeout(go, 1000));
		return ask(path, how, wait);
	}
	throw Object.assign(new Refusal(body?.error ?? `lab serve answered ${response.status}.`), { status: response.status });
}

/** @type {Map<string, Promise<any>>} */
const known = new Map();

/** The answer to a question. @param {string} path @param {Object<string, any>} [values] @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function get(path, values = {}, signal) {
	return JSON.parse(await (await ask(path + query(values), { signal })).text().catch(silent(signal)));
}

/** The same, for one that never changes. @param {string} path @param {Object<string, any>} [values] @returns {Promise<any>} */
export function recall(path, values = {}) {
	const key = path + query(values);
	const before = known.get(key);
	if (before) return before;
	if (known.size > 400) known.clear();
	const answer = get(path, values);
	known.set(key, answer);
	answer.catch(() => known.delete(key));
	return answer;
}

/** Forgets answers, as a run has gone on. @param {string} path */
export function forget(path) {
	for (const key of known.keys()) if (key.startsWith(path)) known.delete(key);
}

/** Hears the events of a long answer until its end; aborting the signal stops the work. With `waiting` it waits for a free place. @param {string} path @param {Object<string, any>} body @param {Object<string, (data: any) => any>} hear by the event's name @param {AbortSignal} signal */
export async function stream(path, body, hear, signal) {
	const response = await ask(path, {
		method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal,
	}, hear.waiting);
	if (!response.body) return;
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	let text = "";
	for (;;) {
		const { done, value } = await reader.read().catch(silent(signal));
		if (done) return;
		text += value;
		const blocks = text.split("\n\n");
		text = blocks.pop() ?? "";
		for (const block of blocks) {
			const lines = block.split("\n");
			const all = (key) => lines.filter((line) => line.startsWith(key)).map((line) => line.slice(key.length).trim()).join("\n");
			const [event, data] = [all("event:"), all("data:")];
			if (!data) continue;
			const sent = JSON.parse(data);
			if (event === "refused") throw new Refusal(sent.error);
			if (signal.aborted) return;
			await hear[event]?.(sent);
		}
	}
}

/** Listens to events until the signal is aborted; it connects again by itself. @param {string} path @param {Object<string, any>} values @param {Object<string, (data: any) => void>} hear by the event's name; `refused` gets why there are none for now @param {AbortSignal} signal */
export function listen(path, values, { refused, ...hear }, signal) {
	if (signal.aborted) return;
	/** @type {EventSource|null} */
	let source = null;
	const url = path + query(values);
	const lost = document.getElementById("lost");
	const say = (text) => lost && lost.textContent !== text && (lost.textContent = text);
	const close = () => (source?.close(), (source = null));
	const rest = (why, show = say) => (close(), say(""), show(why), setTimeout(see, 1000));
	const open = () => {
		const mine = (source = new EventSource(url));
		for (const [name, act] of Object.entries(hear)) mine.addEventListener(name, (event) => act(JSON.parse(event.data)));
		mine.addEventListener("refused", (event) => rest(JSON.parse(event.data).error, refused));
		mine.onopen = () => say("");
		mine.onerror = () => {
			if (mine.readyState !== EventSource.CLOSED) return say("Not connected: is lab serve still running?");
			// It was refused: the answer says why.
			ask(url).then((answer) => (answer.body?.cancel(), source === mine && open()), (error) => source === mine && rest(error.message, error.status === 404 ? refused : say));
		};
	};
	// A tab that nobody sees leaves its connections to others.
	const see = () => (signal.aborted || document.hidden ? close() : source ?? open());
	document.addEventListener("visibilitychange", see, { signal });
	signal.addEventListener("abort", () => (close(), say("")));
	see();
}

/** @param {string} name @returns {Promise<Game>} */
export async function game(name) {
	const found = (await recall("/api/games")).games.find((one) => one.name === name);
	if (!found) throw new Refusal(`There is no game ${name}. Choose another one.`);
	return found;
}
