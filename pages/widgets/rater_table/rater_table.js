// One row per rater: their progress, and their link with a button that copies it.
import { h } from "../scripts/dom.js";
import { draw } from "../scripts/draw.js";

/** @import { RaterLine, RaterTableData } from "./contract.d.ts" */

const COLUMNS = ["Rater", "Rated", "Last", "Time for one", "Left", "Link"];
const WIDE = ["Time for one", "Left"]; // hidden on a phone

/**
 * @param {HTMLElement} root
 * @param {RaterTableData} data
 * @param {(key: string) => unknown} open
 */
export function drawRaters(root, data, open) {
  draw(
    root,
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Raters", key: "scroll" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, COLUMNS.map(columnHead))),
        h(
          "tbody",
          {},
          data.rows.map((row) => drawRow(row, row.key === data.opened, open)),
        ),
      ),
    ),
    h("p", { class: "copied", role: "status", key: "copied" }),
    h("p", { class: "small", key: "here", text: ofThisComputer(location.hostname) }),
  );
}

/** @param {string} name */
function columnHead(name) {
  return h("th", { scope: "col", class: WIDE.includes(name) ? "pace" : "", text: name });
}

/**
 * @param {RaterLine} row
 * @param {boolean} opened
 * @param {(key: string) => unknown} open
 */
function drawRow(row, opened, open) {
  const address = new URL(row.address, document.baseURI).href;
  return h(
    "tr",
    { key: row.key, class: opened ? "on" : "" },
    h(
      "th",
      { scope: "row" },
      h(
        "button",
        { class: "name", "aria-expanded": String(opened), key: "name", onclick: () => open(row.key) },
        h("span", { class: "turner", "aria-hidden": "true", text: opened ? "▾" : "▸" }),
        h("span", { dir: "auto", text: row.name }),
      ),
      h("span", { class: "small", title: "Name in reports", text: ` ${row.code}` }),
      row.remark ? h("span", { class: "small remark", text: row.remark }) : null,
    ),
    h(
      "td",
      {},
      h(
        "span",
        { class: "meter", "aria-hidden": "true" },
        h("b", { style: `width: ${Math.round(100 * row.share)}%` }),
      ),
      h("span", { text: row.rated }),
    ),
    h("td", { class: row.late ? "late" : "", text: row.last || "never" }),
    h("td", { class: "pace", text: row.pace || "–" }),
    h("td", { class: "pace", text: row.left || "–" }),
    h(
      "td",
      { class: "link" },
      h("a", { href: row.address, target: "_blank", rel: "noopener", title: address, text: "Open" }),
      h(
        "button",
        {
          class: "copy",
          key: "copy",
          "aria-label": `Copy the link for ${row.name}`,
          onclick: (event) => copyLink(event, row.name, address),
        },
        "Copy link",
      ),
    ),
  );
}

/**
 * Copy to the clipboard. If the browser has none for this address, show the link below, selected.
 * @param {MouseEvent} event
 * @param {string} name
 * @param {string} address
 */
async function copyLink(event, name, address) {
  const place = /** @type {HTMLElement} */ (event.currentTarget).getRootNode();
  const line = /** @type {ParentNode & Node} */ (place).querySelector(".copied");
  try {
    await navigator.clipboard.writeText(address);
    line?.replaceChildren(`Copied the link for ${name}.`);
  } catch {
    const field = h("input", { readonly: true, value: address, "aria-label": `Link for ${name}` });
    line?.replaceChildren(`Copy it with Ctrl+C: `, field);
    field.select();
  }
}

/**
 * Warn that nobody else can open these links, if so.
 * @param {string} host
 */
export function ofThisComputer(host) {
  if (!/^(localhost|127\.[0-9.]+|\[::1\])$/.test(host)) return "";
  return "These links work only on this computer. To let others in, see Help, Security.";
}
