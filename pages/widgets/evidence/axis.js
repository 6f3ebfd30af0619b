// Estimates with their intervals on one axis, drawn as boxes: they follow the text's size, and print.
import { h } from "../scripts/dom.js";

/** @import { TableAxis, TableMark } from "./contract.d.ts" */

const ON_ONE_LINE = 2; // series told apart by shape and colour; more lie one under the other, thin
const HEIGHT = 26; // of a row's axis, in pixels

/**
 * Where a value stands on the axis, in percent of its width; what lies outside stands at its end.
 * @param {{ low: number, high: number }} axis
 * @param {number} value
 */
export function placeOf(axis, value) {
  const share = (value - axis.low) / (axis.high - axis.low);
  return Math.round(1000 * Math.min(1, Math.max(0, share))) / 10;
}

/**
 * The numbers of the axis, above the rows: every second tick, so that they do not touch.
 * @param {TableAxis} axis
 */
export function drawScale(axis) {
  const shown = axis.ticks.filter((_, i) => i % 2 === 0);
  return h(
    "div",
    { class: "scale" },
    h("span", { class: "hidden", text: `${axis.words}${axis.term ? ` (${axis.term})` : ""}` }),
    shown.map((tick) =>
      h("span", { "aria-hidden": "true", style: `left: ${placeOf(axis, tick)}%`, text: tick }),
    ),
  );
}

/**
 * @param {TableAxis} axis
 * @param {TableMark[]} marks
 */
export function drawMarks(axis, marks) {
  return h(
    "div",
    { class: "axis", role: "img", "aria-label": marks.map((mark) => mark.words).join("; ") },
    axis.ticks.map((tick) => h("span", { class: "tick", style: `left: ${placeOf(axis, tick)}%` })),
    marks.length > ON_ONE_LINE
      ? drawThinMarks(axis, marks)
      : marks.map((mark, series) =>
          h("span", { class: laneOf(marks, series), title: mark.words }, drawMark(axis, mark, series)),
        ),
  );
}

/**
 * One alone stands in the middle, grey where it tells nothing; of two each has its own lane.
 * @param {TableMark[]} marks
 * @param {number} series
 */
function laneOf(marks, series) {
  if (marks.length > 1) return `lane series-${series}`;
  return marks[series]?.clear ? "lane series-0 alone clear" : "lane series-0 alone";
}

/**
 * One under the other; what tells nothing stays grey.
 * @param {TableAxis} axis
 * @param {TableMark[]} marks
 */
function drawThinMarks(axis, marks) {
  const step = HEIGHT / marks.length;
  return marks.map((mark, number) =>
    h(
      "span",
      {
        class: mark.clear ? "lane thin clear" : "lane thin",
        style: `top: ${number * step}px; height: ${step}px`,
        title: mark.words,
      },
      mark.value === null ? [] : drawMark(axis, mark, 0),
    ),
  );
}

/**
 * @param {TableAxis} axis
 * @param {TableMark} mark
 * @param {number} series
 */
function drawMark(axis, mark, series) {
  if (mark.value === null) return [h("span", { class: "none", text: "\u2013" })];
  const point = h("span", {
    class: `point series-${series}`,
    style: `left: ${placeOf(axis, mark.value)}%`,
  });
  if (mark.low === null || mark.high === null) return [point];
  const [from, to] = [placeOf(axis, mark.low), placeOf(axis, mark.high)];
  return [h("span", { class: "bar", style: `left: ${from}%; width: ${to - from}%` }), point];
}

/**
 * What the marks are, above the table.
 * @param {TableAxis} axis
 * @param {string[]} series
 */
export function drawLegend(axis, series) {
  const samples =
    series.length > ON_ONE_LINE
      ? []
      : series.map((name, number) =>
          h(
            "span",
            { class: "entry" },
            h(
              "span",
              { class: `sample series-${number}`, "aria-hidden": "true" },
              h("span", { class: "bar" }),
              h("span", { class: `point series-${number}` }),
            ),
            name,
          ),
        );
  const hidden = !series.length && !axis.words;
  return h(
    "p",
    { class: "legend", hidden },
    samples,
    h("span", { class: axis.term ? "entry term" : "entry", title: axis.term || null, text: axis.words }),
  );
}
