/** Curves. The legend has the values under the pointer; a drag or a double click zooms in; arrows move the pointer, + and − zoom, 0 shows all. */

import { fill, h, s } from "./dom.js";
import { short } from "./words.js";
/** @import {Axis, Panel} from "../types.js" */

const MARGIN = { left: 52, right: 14, top: 10, bottom: 38 };

/** Round numbers between two others. @param {number} low @param {number} high @param {number} about how many */
function ticks(low, high, about) {
	const rough = (high - low) / about;
	if (!(rough > 0)) return [low];
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10);
	const found = [];
	for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(Number((i * step).toPrecision(12)));
	return found;
}

/** Greys become the page's, to be seen on a dark ground. @param {string} color */
function paint(color) {
	const match = /^#(..)(..)(..)$/.exec(color);
	const grey = match && match[1] === match[2] && match[2] === match[3];
	return !grey ? color : match[1] < "60" ? "var(--ink)" : match[1] < "c0" ? "var(--muted)" : `light-dark(${color}, var(--line))`;
}

const colored = (node, color) => (node.style.setProperty("--c", paint(color)), node);
const dashed = ({ dash }) => ({ "stroke-dasharray": dash?.join(" ") });

/** The value of a curve at the point nearest to x. @param {[number, number][]} points @param {number} x */
function nearest(points, x) {
	let best = null;
	for (const point of points) if (!best || Math.abs(point[0] - x) < Math.abs(best[0] - x)) best = point;
	return best;
}

/**
 * @param {Object} how
 * @param {string} how.label what it shows, in words
 * @param {number} [how.height]
 * @param {(x: number|null) => void} [how.onpoint] the pointer is over this x
 * @param {(range: [number, number]|null) => void} [how.onzoom] a range was chosen
 * @param {(x: number) => void} [how.onpick] an x was clicked; there is no zoom then
 */
export function chart({ label, height = 240, onpoint, onzoom, onpick }) {
	const svg = s("svg", { class: "chart", height, "aria-hidden": "true" });
	const legend = h("ul", { class: "legend" });
	const at = h("span", { class: "at" });
	const area = h("div", { class: "chart-area", tabindex: 0, role: "img", "aria-label": `${label}. Arrow keys read the values${onzoom ? ", plus and minus zoom" : ""}.` }, svg);
	const title = h("p", { class: "chart-title" });
	const spoken = h("p", { class: "unseen", role: "status" });
	const element = h("div", { class: "chart-box" }, h("div", { class: "chart-head" }, title, at), legend, area, spoken);

	/** @type {Panel|null} */
	let panel = null;
	/** @type {Axis} */
	let axis = { label: "", low: 0, high: 1 };
	/** @type {[number, number]|null} */
	let zoom = null;
	/** @type {number|null} */
	let cursor = null;
	/** @type {number|null} */
	let fixed = null;
	let width = 600;
	/** @type {{line: SVGLineElement, fixed: SVGLineElement, dots: SVGGElement, drag: SVGRectElement}|null} */
	let overlay = null;
	/** @type {HTMLElement[]} */
	let shown = [];
	let toX = (x) => x, fromX = toX, toY = toX;

	const range = () => zoom ?? [axis.low, axis.high];
	const stops = () => {
		const [low, high] = range();
		const all = new Set((panel?.series ?? []).flatMap((series) => series.points.map((point) => point[0])));
		return [...all].filter((x) => x >= low && x <= high).sort((a, b) => a - b);
	};

	function draw() {
		if (!panel) return;
		const [low, high] = range();
		const inner = { w: width - MARGIN.left - MARGIN.right, h: height - MARGIN.top - MARGIN.bottom };
		const { series } = panel;
		let { low: bottom, high: top } = panel.y;
		if (zoom && !panel.y.log) {
			const inside = series.flatMap((one) => [...one.points, ...(one.thin ?? []).flat(), ...(one.band ?? []).flatMap(([x, a, b]) => [[x, a], [x, b]])])
				.filter(([x]) => x >= low && x <= high).map(([, y]) => y);
			if (inside.length) {
				const room = (Math.max(...inside) - Math.min(...inside)) * 0.08 || (top - bottom) * 0.02;
				[bottom, top] = [Math.max(bottom, Math.min(...inside) - room), Math.min(top, Math.max(...inside) + room)];
			}
		}
		const scale = (log, from, to) => log
			? (value) => (Math.log(Math.max(value, from)) - Math.log(from)) / (Math.log(to) - Math.log(from))
			: (value) => (value - from) / (to - from);
		const [sx, sy] = [scale(axis.log, low, high), scale(panel.y.log, bottom, top)];
		toX = (x) => MARGIN.left + sx(x) * inner.w;
		toY = (y) => MARGIN.top + (1 - sy(y)) * inner.h;
		fromX = (pixel) => {
			const share = (pixel - MARGIN.left) / inner.w;
			return axis.log ? low * (high / low) ** share : low + share * (high - low);
		};
		const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${toX(x).toFixed(1)} ${toY(y).toFixed(1)}`).join("");
		const clip = `clip-${chart.count++}`;
		const marksX = axis.ticks?.length && !zoom ? axis.ticks : ticks(low, high, Math.max(2, inner.w / 110));
		const marksY = panel.y.ticks?.length ? panel.y.ticks.filter((y) => y >= bottom && y <= top) : ticks(bottom, top, Math.max(2, inner.h / 28));
		const [across, upright] = [{ x1: MARGIN.left, x2: width - MARGIN.right }, { y1: MARGIN.top, y2: height - MARGIN.bottom }];
		const line = s("line", { class: "cursor", ...upright });
		const still = s("line", { class: "fixed", ...upright });
		const dots = s("g");
		const drag = s("rect", { class: "drag", y: MARGIN.top, height: inner.h });
		svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
		svg.replaceChildren(
			s("clipPath", { id: clip }, s("rect", { x: MARGIN.left, y: MARGIN.top - 3, width: inner.w + 3, height: inner.h + 6 })),
			s("g", { class: "grid" }, marksY.map((y) => s("line", { ...across, y1: Math.round(toY(y)) + 0.5, y2: Math.round(toY(y)) + 0.5 }))),
			s("g", { class: "ticks" },
				marksY.map((y) => s("text", { x: MARGIN.left - 8, y: toY(y) + 4, "text-anchor": "end" }, short(y))),
				marksX.map((x) => s("text", { x: toX(x), y: height - MARGIN.bottom + 17, "text-anchor": toX(x) > width - 24 ? "end" : "middle" }, short(x))),
				s("text", { x: MARGIN.left + inner.w / 2, y: height - 4, "text-anchor": "middle" }, axis.label)),
			s("line", { class: "base", ...across, y1: height - MARGIN.bottom + 0.5, y2: height - MARGIN.bottom + 0.5 }),
			s("g", { "clip-path": `url(#${clip})` },
				panel.marks.map((mark) => colored(s("line", { class: "level", x1: toX(mark.x), x2: toX(mark.x), ...upright, ...dashed(mark) }), mark.color)),
				panel.levels.map((level) => colored(s("line", { class: "level", ...across, y1: toY(level.value), y2: toY(level.value), ...dashed(level) }), level.color)),
				series.map((one) => colored(s("g", { class: "series" },
					one.band && one.band.length > 0 && s("path", { class: "band", d: `${path(one.band.map(([x, a]) => [x, a]))}${path([...one.band].reverse().map(([x, , b]) => [x, b])).replace("M", "L")}Z` }),
					(one.thin ?? []).map((points) => s("path", { class: "thin", d: path(points) })),
					one.points.length > 0 && s("path", { class: "curve", d: path(one.points), ...dashed(one) }),
					one.points.length === 1 && s("circle", { r: 3, cx: toX(one.points[0][0]), cy: toY(one.points[0][1]) }),
					(one.dots ?? []).map((i) => one.points[i] && s("circle", { r: 2.6, cx: toX(one.points[i][0]), cy: toY(one.points[i][1]) }))), one.color))),
			drag, still, line, dots);
		overlay = { line, fixed: still, dots, drag };
		point();
	}

	/** Shows the values at the pointer, or the last ones. */
	function point() {
		if (!overlay || !panel) return;
		const [low, high] = range();
		const within = (x) => x !== null && x >= low && x <= high;
		for (const [node, x] of /** @type {[SVGLineElement, number|null][]} */ ([[overlay.line, cursor], [overlay.fixed, fixed]])) {
			node.setAttribute("visibility", within(x) ? "visible" : "hidden");
			if (x !== null) fill(node, { x1: toX(x), x2: toX(x) });
		}
		overlay.dots.replaceChildren();
		const x = cursor ?? fixed;
		at.textContent = x === null ? "" : `${axis.label.replace(/s$/, "")} ${short(nearest(panel.series[0]?.points ?? [], x)?.[0] ?? x)}`;
		for (const [i, series] of panel.series.entries()) {
			if (!shown[i]) continue;
			const found = x === null ? series.points.at(-1) : nearest(series.points, x);
			shown[i].textContent = found ? short(found[1]) : "";
			if (found && cursor !== null && within(found[0])) {
				overlay.dots.append(colored(s("circle", { class: "dot", r: 3.5, cx: toX(found[0]), cy: toY(found[1]) }), series.color));
			}
		}
	}

	function setCursor(x) {
		cursor = x;
		point();
	}

	/** The same, here and where else it is shown. */
	function move(x) {
		setCursor(x);
		onpoint?.(x);
	}
	const leave = () => move(null);

	// The pointer: over it, to read; dragged, to zoom.
	/** @type {number|null} */
	let from = null;
	const place = (event) => {
		const [low, high] = range();
		const box = svg.getBoundingClientRect();
		const x = fromX(((event.clientX - box.left) / box.width) * width);
		return Math.min(high, Math.max(low, x));
	};
	function zoomed(by) {
		const [low, high] = range();
		const middle = cursor ?? (low + high) / 2;
		const half = ((high - low) * by) / 2;
		const [a, b] = [Math.max(axis.low, middle - half), Math.min(axis.high, middle + half)];
		onzoom?.(a <= axis.low && b >= axis.high ? null : [a, b]);
	}
	const snap = (x) => nearest(stops().map((stop) => [stop, 0]), x)?.[0] ?? x;
	fill(svg, {
		onpointermove(event) {
			const x = place(event);
			if (from !== null && onzoom && overlay) {
				const [a, b] = [toX(Math.min(from, x)), toX(Math.max(from, x))];
				fill(overlay.drag, { x: a, width: b - a });
			}
			move(snap(x));
		},
		onpointerleave: leave,
		onpointerdown(event) {
			if (event.button !== 0) return;
			from = place(event);
			if (onzoom && event.pointerType === "mouse") svg.setPointerCapture(event.pointerId);
		},
		onpointerup(event) {
			const [start, end] = [from, place(event)];
			from = null;
			overlay?.drag.setAttribute("width", "0");
			if (start === null) return;
			if (onpick) onpick(snap(end));
			else if (onzoom && Math.abs(toX(end) - toX(start)) > 8) onzoom([Math.min(start, end), Math.max(start, end)]);
		},
		onpointercancel: () => (from = null),
		ondblclick: () => zoomed(0.5),
	});
	fill(area, { onblur: leave, onkeydown(event) {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const all = stops();
		if (!all.length) return;
		const now = cursor ?? fixed;
		const i = now === null ? -1 : all.indexOf(snap(now));
		const go = (to) => {
			move(all[Math.min(all.length - 1, Math.max(0, to))]);
			if (onpick && cursor !== null) onpick(cursor);
			spoken.textContent = `${at.textContent}: ${panel?.series.map((series, k) => shown[k] && `${series.name} ${shown[k].textContent}`).filter(Boolean).join(", ")}`;
		};
		const to = { ArrowRight: i + 1, ArrowLeft: i < 0 ? Infinity : i - 1, Home: 0, End: Infinity }[event.key];
		const by = { "+": 0.5, "=": 0.5, "-": 2, 0: Infinity, Escape: Infinity }[event.key];
		if (to !== undefined) go(to);
		else if (by) zoomed(by);
		else return;
		event.preventDefault();
	} });

	new ResizeObserver(([entry]) => {
		const now = Math.round(entry.contentRect.width);
		if (now < 40 || now === width) return;
		width = now;
		draw();
	}).observe(area);

	return {
		element,
		setCursor,
		/** A line that stays. @param {number|null} x */
		setFixed(x) {
			fixed = x;
			point();
		},
		setZoom(to) {
			zoom = to;
			draw();
		},
		/** @param {Panel} now @param {Axis} x */
		update(now, x) {
			panel = now;
			axis = x.high > x.low ? x : { ...x, high: x.low + 1 };
			title.textContent = now.title;
			title.hidden = !now.title;
			shown = [];
			const key = ({ name, color, dash }) => {
				const line = s("svg", { viewBox: "0 0 22 8", "aria-hidden": "true" }, s("line", { x1: 0, x2: 22, y1: 4, y2: 4, ...dashed({ dash }) }));
				return name ? [colored(line, color), h("span", null, name)] : null;
			};
			/** @type {(HTMLElement|false)[]} */
			const entries = [];
			const seen = new Set();
			const looks = now.series.map(({ name, color, dash }) => `${name} ${color} ${dash}`);
			now.series.forEach((series, i) => {
				const first = looks.indexOf(looks[i]);
				// Curves that look alike share one entry, without a number.
				if (!series.name || first === looks.lastIndexOf(looks[i])) shown[i] = h("output");
				else if (first < i) return;
				entries.push(h("li", null, key(series), shown[i]));
			});
			for (const one of now.levels) {
				if (!one.name || seen.has(one.name)) continue;
				seen.add(one.name);
				entries.push(h("li", null, key(one), h("output", null, short(one.value))));
			}
			legend.replaceChildren(.../** @type {HTMLElement[]} */ (entries));
			draw();
		},
	};
}
chart.count = 0;
