// How the values of one row lie, on an axis of their own: each of a few, or the middle half with the median.
import { h } from "../scripts/dom.js";
import { placeOf } from "./axis.js";

/** @import { TableSpread } from "./contract.d.ts" */

/** @param {TableSpread} spread */
export function drawSpread(spread) {
  const [low, high] = spread.ends;
  return h(
    "div",
    { class: "strip", role: "img", "aria-label": spread.words, title: spread.words },
    h("span", { class: "end", "aria-hidden": "true", text: low }),
    h("span", { class: "track" }, spread.points.length ? drawPoints(spread) : drawBox(spread)),
    h("span", { class: "end", "aria-hidden": "true", text: high }),
  );
}

/** @param {TableSpread} spread */
function drawPoints(spread) {
  return spread.points.map((value) => h("span", { class: "dot", style: `left: ${place(spread, value)}%` }));
}

/** @param {TableSpread} spread */
function drawBox(spread) {
  const [low, quarter, median, threeQuarters, high] = [
    spread.low,
    spread.quarter,
    spread.median,
    spread.three_quarters,
    spread.high,
  ].map((value) => place(spread, value));
  return [
    h("span", { class: "whole", style: `left: ${low}%; width: ${Number(high) - Number(low)}%` }),
    h("span", {
      class: "half",
      style: `left: ${quarter}%; width: ${Number(threeQuarters) - Number(quarter)}%`,
    }),
    h("span", { class: "median", style: `left: ${median}%` }),
  ];
}

/**
 * @param {TableSpread} spread
 * @param {number} value
 */
function place(spread, value) {
  return placeOf({ low: spread.axis_low, high: spread.axis_high }, value);
}
