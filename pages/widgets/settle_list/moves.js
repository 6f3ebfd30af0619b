// The row and the page that a key moves to.
import { nameOfKey } from "../scripts/key_names.js";

/** @import { LabelList } from "./contract.d.ts" */
/** @typedef {{ row: number } | { after: number } | null} Move A row of this page, another page, or nowhere. */

const STEPS = /** @type {Record<string, number>} */ ({ j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 });

/**
 * Return how many rows a key moves, 0 for other keys. Arrows move only while the list has the focus; elsewhere they
 * scroll.
 * @param {Parameters<typeof nameOfKey>[0] & Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "altKey">} event
 * @param {boolean} focused
 */
export function stepOf(event, focused) {
  if (event.ctrlKey || event.metaKey || event.altKey) return 0;
  const key = nameOfKey(event);
  return key.startsWith("Arrow") && !focused ? 0 : (STEPS[key] ?? 0);
}

/**
 * @param {Pick<LabelList, "rows" | "after" | "total" | "page_size">} data
 * @param {number} here the number of the row that one stands on, -1 for none
 * @param {number} step
 * @returns {Move}
 */
export function moveBy(data, here, step) {
  if (!data.rows.length) return null;
  const row = here < 0 ? 0 : here + step;
  if (row >= 0 && row < data.rows.length) return { row };
  const after = pageBeside(data, step);
  return after === null ? null : { after };
}

/**
 * Return the start of the page before or after this one, or null.
 * @param {Pick<LabelList, "rows" | "after" | "total" | "page_size">} data
 * @param {number} step
 */
export function pageBeside(data, step) {
  if (step < 0) return data.after > 0 ? Math.max(0, data.after - data.page_size) : null;
  const after = data.after + data.rows.length;
  return after < data.total ? after : null;
}

/**
 * The row that has the focus after the rows changed: the same, else the one that is open, else the one that took its
 * place.
 * @param {{ key: string }[]} before
 * @param {{ key: string }[]} rows
 * @param {string} focused its key
 * @param {string} current
 */
export function rowAfterwards(before, rows, focused, current) {
  for (const key of [focused, current]) {
    const row = rows.findIndex((other) => other.key === key);
    if (row >= 0) return row;
  }
  const place = before.findIndex((other) => other.key === focused);
  return Math.min(Math.max(place, 0), rows.length - 1);
}
