// A table part with an explicit role: on a phone rows are drawn as blocks, and browsers then drop the table roles.
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
