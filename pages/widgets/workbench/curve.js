// A small line chart over turns. Gaps stay gaps; every line has its own dash pattern and its name next to it.

/** @typedef {SVGElement | null | false | ChartParts[]} ChartParts */
/** @typedef {{ name: string, values: (number | null)[], dash?: string }} ChartLine */

const CHART = { width: 400, height: 170, left: 34, right: 10, top: 10, bottom: 24 };

/**
 * @param {string} tag
 * @param {Record<string, string | number | null | undefined>} attributes
 * @param {ChartParts[]} children
 */
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = String(value);
    else if (value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  /** @type {unknown[]} */
  const nested = children;
  const parts = nested.flat(Infinity);
  node.append(...parts.filter((child) => child instanceof SVGElement));
  return node;
}

/**
 * `bars`: values drawn from zero; `guides`: values across the whole chart.
 * @param {{
 *   label: string, lines: ChartLine[], bars?: (number | null)[], marks?: { turn: number, text: string }[],
 *   guides?: number[],
 * }} chart
 */
export function lineChart({ label, lines, bars = [], marks = [], guides = [] }) {
  const turns = Math.max(1, ...lines.map((line) => line.values.length));
  const all = [...lines.flatMap((line) => line.values), ...bars].filter((value) => value !== null);
  const low = Math.min(0, ...all),
    high = Math.max(...all, 0.01) > 0.5 ? 1 : 0.5;
  /** @param {number} turn */
  const x = (turn) =>
    CHART.left + (turns === 1 ? 0.5 : (turn - 1) / (turns - 1)) * (CHART.width - CHART.left - CHART.right);
  /** @param {number} value */
  const y = (value) =>
    CHART.top + ((high - value) / (high - low)) * (CHART.height - CHART.top - CHART.bottom);
  const ticks = [0, high / 2, high, ...(low < 0 ? [low] : [])];
  const every = Math.ceil(turns / 10);
  return svg(
    "svg",
    { viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img", "aria-label": label, class: "chart" },
    ticks.map((value) => [
      svg("line", {
        x1: CHART.left,
        x2: CHART.width - CHART.right,
        y1: y(value),
        y2: y(value),
        class: "grid",
      }),
      svg("text", { x: CHART.left - 5, y: y(value) + 4, "text-anchor": "end", text: value.toFixed(2) }),
    ]),
    guides.map((value) =>
      value <= high
        ? svg("line", {
            x1: CHART.left,
            x2: CHART.width - CHART.right,
            y1: y(value),
            y2: y(value),
            class: "guide",
          })
        : null,
    ),
    marks.map((mark) => [
      svg("line", {
        x1: x(mark.turn),
        x2: x(mark.turn),
        y1: CHART.top,
        y2: CHART.height - CHART.bottom,
        class: "mark",
      }),
      svg("text", {
        x: x(mark.turn) + (x(mark.turn) > 260 ? -4 : 4),
        y: CHART.top + 10,
        "text-anchor": x(mark.turn) > 260 ? "end" : "start",
        text: mark.text,
      }),
    ]),
    bars.map((value, index) =>
      value === null
        ? null
        : svg("rect", {
            x: x(index + 1) - 3,
            width: 6,
            y: Math.min(y(0), y(value)),
            height: Math.max(1, Math.abs(y(value) - y(0))),
            class: "bar",
          }),
    ),
    lines.map((line) => [
      svg("path", { d: path(line.values, x, y), class: "line", "stroke-dasharray": line.dash || null }),
      line.values.map((value, index) =>
        value === null
          ? null
          : svg(
              "circle",
              { cx: x(index + 1), cy: y(value), r: line.dash ? 1.6 : 2.6, class: "dot" },
              svg("title", { text: `turn ${index + 1}, ${line.name}: ${value.toFixed(3)}` }),
            ),
      ),
    ]),
    Array.from({ length: turns }, (_, index) => index + 1)
      .filter((turn) => turn === 1 || turn === turns || (turn % every === 0 && turns - turn >= every))
      .map((turn) => svg("text", { x: x(turn), y: CHART.height - 8, "text-anchor": "middle", text: turn })),
  );
}

/**
 * One stroke from value to value; a turn without a value breaks it.
 * @param {(number | null)[]} values
 * @param {(turn: number) => number} x
 * @param {(value: number) => number} y
 */
function path(values, x, y) {
  let strokes = "",
    open = false;
  values.forEach((value, index) => {
    if (value === null) {
      open = false;
      return;
    }
    strokes += `${open ? "L" : "M"}${x(index + 1).toFixed(1)} ${y(value).toFixed(1)}`;
    open = true;
  });
  return strokes;
}
