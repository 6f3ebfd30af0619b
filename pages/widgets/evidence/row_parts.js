// What stands behind a row: sentences, tables, squares of counts, and ways on. Foreign text only as text.
import { h } from "../scripts/dom.js";

/** @import { TableRow, TableLink } from "./contract.d.ts" */
/** @typedef {TableRow["behind"][number]} RowPart */

/** @param {RowPart[]} parts */
export function drawParts(parts) {
  return parts.map(drawPart);
}

/** @param {RowPart} part */
function drawPart(part) {
  if (part.kind === "paragraph")
    return h("p", { class: part.tone, dir: "auto", title: part.term || null, text: part.text });
  if (part.kind === "table") return drawTable(part);
  return drawSquare(part);
}

/** @param {TableLink} link */
function drawLink(link) {
  return h("a", { href: link.target, target: "_self", text: link.text });
}

/** @param {Extract<RowPart, { kind: "table" }>} part */
function drawTable(part) {
  /** @param {number} column */
  const look = (column) => (part.numeric.includes(column) ? "number" : null);
  return h(
    "table",
    { class: "inner" },
    h("caption", { text: part.caption }),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        part.header.map((name, i) => h("th", { scope: "col", class: look(i), text: name })),
      ),
    ),
    h(
      "tbody",
      {},
      part.rows.map((row) =>
        h(
          "tr",
          {},
          row.map((cell, i) => h("td", { class: look(i) }, typeof cell === "string" ? cell : drawLink(cell))),
        ),
      ),
    ),
  );
}

/** @param {Extract<RowPart, { kind: "square" }>} part */
function drawSquare(part) {
  return h(
    "table",
    { class: "square" },
    h("caption", { text: part.caption }),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col", class: "corner", text: part.corner }),
        part.across.map((name) => h("th", { scope: "col", text: name })),
      ),
    ),
    h(
      "tbody",
      {},
      part.texts.map((row, down) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", text: part.down[down] ?? "" }),
          row.map((text, across) =>
            h("td", {
              class: down === across ? "same" : null,
              style: `--shade: ${Math.round(60 * (part.shades[down]?.[across] ?? 0))}%`,
              text,
            }),
          ),
        ),
      ),
    ),
  );
}
