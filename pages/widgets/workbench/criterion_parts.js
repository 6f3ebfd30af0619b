// The parts of a criterion's row, before and after the commit.
import { h } from "../scripts/dom.js";
import { levelName } from "./labels.js";
import { moveCursor } from "./transcript.js";

/** @import { PageAnswer, PageCriterion } from "./contract.d.ts" */
/** @import { Workbench } from "./app.js" */

/**
 * Return marks for evidence and a note, for a folded row.
 * @param {PageAnswer} answer
 */
export function marksOf(answer) {
  return [
    answer.evidence.length ? mark("\u201c\u201d", "with evidence") : null,
    answer.note ? mark("\u270e", "with a note") : null,
  ];
}

/**
 * @param {string} sign
 * @param {string} title
 */
function mark(sign, title) {
  return h(
    "span",
    { class: "note-mark", title },
    h("span", { "aria-hidden": "true", text: ` ${sign}` }),
    h("span", { class: "hidden", text: `, ${title}` }),
  );
}

/** @param {PageCriterion} criterion */
export function codeOf(criterion) {
  return criterion.id.length <= 4 ? h("span", { class: "code", text: criterion.id }) : null;
}

/**
 * A small button with its key.
 * @param {string} key
 * @param {string} text
 * @param {() => unknown} action
 */
export function tool(key, text, action) {
  return h(
    "button",
    { class: "quiet", key, onclick: action },
    h("kbd", { text: key.toUpperCase() }),
    ` ${text}`,
  );
}

/**
 * @param {PageCriterion} criterion
 * @param {Pick<PageAnswer, "label" | "also">} answer
 * @param {(label: string) => unknown} pick
 * @param {boolean} disabled
 */
export function choices(criterion, answer, pick, disabled = false) {
  const long = criterion.levels.reduce((sum, level) => sum + level.name.length + 5, 0) > 60;
  const buttons = criterion.levels.map((level) => {
    const isAlso = answer.also.includes(level.id);
    return h(
      "button",
      {
        role: "radio",
        "aria-checked": String(answer.label === level.id),
        title: level.anchor,
        "data-label": level.id,
        key: level.id,
        class: answer.label === level.id ? "on" : isAlso ? "also" : "",
        disabled,
        onclick: () => pick(level.id),
      },
      h("kbd", { text: level.key.toUpperCase() }),
      ` ${level.name === level.key ? "" : level.name}`,
      isAlso ? h("span", { class: "small", text: " also" }) : null,
    );
  });
  const place = { class: "choices" + (long ? " long" : ""), key: "choices" };
  return h("div", { ...place, role: "radiogroup", "aria-label": criterion.name }, buttons);
}

/** @param {PageCriterion} criterion */
export function infoBox(criterion) {
  const anchors = criterion.levels
    .filter((level) => level.anchor)
    .map((level) => [h("dt", { text: levelName(criterion, level.id) }), h("dd", { text: level.anchor })]);
  return h(
    "div",
    { class: "info", key: "info" },
    h("dl", {}, anchors),
    criterion.not_applicable_note ? h("p", { class: "small", text: criterion.not_applicable_note }) : null,
    criterion.examples.length
      ? [
          h("p", { class: "small", text: criterion.examples_title }),
          h(
            "ul",
            {},
            criterion.examples.map((text) => h("li", { text })),
          ),
        ]
      : null,
  );
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {PageAnswer} answer
 */
export function evidenceList(app, criterion, answer) {
  if (!answer.evidence.length) return null;
  const list = h(
    "ul",
    { class: "evidence" },
    answer.evidence.map((span, number) => {
      const message = app.messages?.[span.message];
      const quote = message ? message.text.slice(span.start, span.end) : "";
      const shortened = quote.length > 90 ? quote.slice(0, 90) + "…" : quote;
      const others = answer.evidence.filter((_, other) => other !== number);
      return h(
        "li",
        { key: `${span.message} ${span.start} ${span.end}` },
        h(
          "button",
          { class: "quiet", dir: "auto", onclick: () => moveCursor(app, span.message) },
          `turn ${message?.turn ?? "?"}: “${shortened}”`,
        ),
        app.data.committed_at
          ? null
          : h("button", {
              class: "quiet",
              "aria-label": "Remove this evidence",
              text: "remove",
              onclick: () => app.answers.set(criterion.id, { evidence: others }),
            }),
      );
    }),
  );
  return h(
    "div",
    { key: "evidence" },
    h("p", { class: "small", text: `Evidence for: ${criterion.name}` }),
    list,
  );
}
