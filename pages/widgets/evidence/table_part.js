// A part of the table with its role said outright: on a phone rows are drawn as blocks, and a browser then takes
// a table for none.
import { h } from "../scripts/dom.js";

/** @import { Attributes, Children } from "../scripts/dom.js" */

/** @type {Record<string, string>} */
const ROLES = { table: "table", thead: "rowgroup", tbody: "rowgroup", tr: "row", td: "cell" };

/**
 * @template {"table" | "thead" | "tbody" | "tr" | "td" | "th"} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Children[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function tablePart(tag, attributes, ...children) {
  const role = tag === "th" ? (attributes.scope === "row" ? "rowheader" : "columnheader") : ROLES[tag];
  return h(tag, { role, ...attributes }, ...children);
}
