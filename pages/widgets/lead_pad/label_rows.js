// The criteria with their labels, and below them the expert's name and the button that saves.
import { choices, codeOf, infoBox, tool } from "../workbench/criterion_parts.js";
import { h } from "../scripts/dom.js";
import { draw } from "../scripts/draw.js";
import { levelName } from "../workbench/labels.js";
import { beginningOf } from "../scripts/text_fields.js";

/** @import { PageCriterion } from "./contract.d.ts" */
/** @import { LeadPad } from "./lead_pad.js" */

const LONGEST = 2000; // characters of a reason

/** @param {LeadPad} pad */
export function drawRows(pad) {
  const { data, criteria } = pad;
  draw(
    pad.rows,
    h(
      "p",
      { class: "where", key: "where" },
      h("span", { text: `${Math.min(pad.focus + 1, criteria.length)} of ${criteria.length}` }),
      h("span", { class: "grow" }),
      sourceChoice(pad),
    ),
    data.notes.length
      ? h(
          "ul",
          { class: "notes", key: "notes" },
          data.notes.map((text) => h("li", { text })),
        )
      : null,
    criterionRows(pad),
  );
  const row = pad.rows.querySelector(".focus");
  if (row instanceof HTMLElement) keepInView(pad.rows, row);
}

/** @param {LeadPad} pad */
function criterionRows(pad) {
  /** @type {HTMLElement[]} */
  const rows = [];
  /** @type {string | null} */
  let heading = null;
  pad.criteria.forEach((criterion, index) => {
    const { category } = criterion;
    if (category && category.id !== heading) {
      heading = category.id;
      const gate = category.gate ? " (safety gate)" : "";
      rows.push(
        h("h3", { class: gate && "gate", key: category.id, title: category.question }, category.name, gate),
      );
    }
    rows.push(criterionRow(pad, criterion, index));
  });
  return rows;
}

/**
 * @param {LeadPad} pad
 * @param {PageCriterion} criterion
 * @param {number} index
 */
function criterionRow(pad, criterion, index) {
  const focus = index === pad.focus;
  const label = pad.labelOf(criterion.id);
  const row = h(
    "section",
    { class: focus ? "row focus" : "row", "data-criterion": criterion.id, key: criterion.id },
    h(
      "button",
      {
        class: "name",
        key: "name",
        "aria-expanded": String(focus),
        onclick: () => pad.setFocus(index),
      },
      h("span", { class: "shape", "aria-hidden": "true", text: focus ? "▶" : label === null ? "○" : "✓" }),
      h("span", { class: "grow" }, codeOf(criterion), criterion.name),
      h("span", { class: "label", text: label === null ? "" : levelName(criterion, label) }),
    ),
  );
  if (!focus) return row;
  row.append(h("p", { class: "asks", text: criterion.checks_for }));
  if (criterion.forced !== null) {
    row.append(h("p", { class: "small", text: `Filled in by rule: ${criterion.forced_why}` }));
    return row;
  }
  row.append(choices(criterion, { label, also: [] }, (id) => pad.setLabel(criterion, id)));
  if (pad.info) row.append(infoBox(criterion));
  row.append(
    h(
      "p",
      { class: "tools", key: "tools" },
      tool("i", pad.info ? "hide what each label means" : "what each label means", () => {
        pad.info = !pad.info;
        pad.paint();
      }),
      label === null || pad.data.labels[criterion.id]
        ? null
        : h(
            "button",
            { class: "quiet", key: "clear", onclick: () => pad.setLabel(criterion, null) },
            h("kbd", { text: "Backspace" }),
            " no label",
          ),
    ),
  );
  return row;
}

/** @param {LeadPad} pad */
function sourceChoice(pad) {
  const { sources } = pad.data;
  if (!sources.length) return null;
  return h(
    "select",
    {
      key: "source",
      "aria-label": "Copy the labels of",
      onchange: (event) => {
        const source = sources[Number(event.target.value)];
        if (source) pad.takeOver(source);
      },
    },
    h("option", { value: "", text: "Copy labels of ..." }),
    sources.map(({ name }, number) => h("option", { value: String(number), text: name })),
  );
}

/** @param {LeadPad} pad */
export function drawFoot(pad) {
  const { saves } = pad.data;
  if (!saves) {
    draw(pad.foot, h("span", { class: "small", text: "Trial: nothing is saved." }));
    return;
  }
  const count = Object.keys(pad.chosenLabels()).length;
  draw(
    pad.foot,
    h(
      "label",
      { key: `why ${pad.key}`, class: "why" },
      "Reason, for raters to learn from",
      h(
        "textarea",
        {
          rows: "2",
          oninput: ({ target }) => {
            pad.entry.reason = target.value = beginningOf(target.value, LONGEST);
          },
        },
        pad.entry.reason,
      ),
    ),
    h(
      "label",
      { key: `expert ${pad.key} ${pad.sourcesTaken}` },
      "Whose labels?",
      h("input", {
        value: pad.entry.expert,
        maxlength: "80",
        oninput: ({ target }) => {
          pad.entry.expert = target.value;
        },
      }),
    ),
    h(
      "button",
      { class: "main", key: "save", disabled: count === 0, onclick: () => pad.save() },
      `Set the expert's labels (${count}) `,
      h("kbd", { text: "Ctrl+Enter" }),
    ),
  );
}

/**
 * Only the list itself scrolls.
 * @param {HTMLElement} list
 * @param {HTMLElement} row
 */
function keepInView(list, row) {
  const bottom = row.offsetTop + row.offsetHeight;
  if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight + 8;
  if (row.offsetTop < list.scrollTop + 30) list.scrollTop = Math.max(0, row.offsetTop - 30);
}
