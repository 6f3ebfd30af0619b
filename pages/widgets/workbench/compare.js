// After the commit: the rater's label, next to the judge's if it may be shown.
import { choices, codeOf, evidenceList, infoBox, marksOf, tool } from "./criterion_parts.js";
import { h } from "../scripts/dom.js";
import { drawParts, emphasisIn } from "./emphasis.js";
import {
  NO_RATING,
  SIGNS,
  answerText,
  compareLabels,
  compareWithJudges,
  differencesLeft,
  judgementsOf,
  levelName,
  summaryOf,
} from "./labels.js";
import { commentBox } from "./note_boxes.js";
import { textField } from "../scripts/text_fields.js";
import { jumpToTurn } from "./transcript.js";

/** @import { PageAnswer, PageCriterion, PageJudge, PageJudgement } from "./contract.d.ts" */
/** @import { Workbench } from "./app.js" */
/** @typedef {PageJudgement & { judge: PageJudge }} JudgementShown */

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {number} index
 */
export function comparedRow(app, criterion, index) {
  const mine = app.data.ratings[criterion.id] || NO_RATING;
  const focus = index === app.focus,
    isByRule = mine.source === "rule";
  const kind = compareWithJudges(app, criterion);
  const shape = focus ? "▶" : app.data.reveal ? SIGNS[kind] : "●";
  const summary = focus && app.data.reveal && !isByRule ? "" : summaryOf(app, criterion, mine);
  const row = h(
    "section",
    {
      class: "row" + (focus ? " focus" : "") + (kind === "differs" ? " differs" : ""),
      "data-criterion": criterion.id,
      key: criterion.id,
    },
    h(
      "button",
      {
        class: "name",
        key: "name",
        "aria-expanded": String(focus),
        onclick: () => app.answers.setFocus(index),
      },
      h("span", { class: "shape", "aria-hidden": "true", text: shape }),
      h("span", { class: "grow" }, codeOf(criterion), criterion.name, focus ? null : marksOf(mine)),
      h("span", { class: "label", text: summary }),
    ),
  );
  if (!focus) return row;
  row.append(h("p", { class: "asks", text: criterion.checks_for }));
  const first = mine.first && answerText(app, criterion, mine.first);
  if (first !== null && first !== answerText(app, criterion, mine)) {
    row.append(
      h("p", {
        class: "small",
        dir: "auto",
        text: `Your first label: ${first}. Both are kept.${mine.reason ? ` Your reason: ${mine.reason}` : ""}`,
      }),
    );
  }
  if (mine.note) row.append(h("p", { class: "small", text: `Your note: ${mine.note}` }));
  const evidence = evidenceList(app, criterion, mine);
  if (evidence) row.append(evidence);
  if (app.info) row.append(infoBox(criterion));
  if (isByRule) {
    row.append(
      h("p", {
        class: "small",
        text: `Filled in by rule, so not asked: ${criterion.forced_why}`,
      }),
    );
    return row;
  }
  if (!app.data.ratings[criterion.id]) {
    row.append(
      h("p", {
        class: "small",
        text: "You were not asked this, because of your earlier answers.",
      }),
      judges(app, criterion, mine),
    );
    return row;
  }
  row.append(
    judges(app, criterion, mine),
    app.mode === "change" ? changeBox(app, criterion) : tools(app, criterion),
  );
  return row;
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 */
function tools(app, criterion) {
  const { comparison } = app;
  return h(
    "p",
    { class: "tools", key: "tools" },
    judgementsOf(app, criterion).length && differencesLeft(app)
      ? tool("Enter", "keep mine", () => comparison.keep(criterion))
      : null,
    tool("g", "change mine ... (with a reason)", () => app.answers.setMode("change")),
    tool("i", app.info ? "hide what each label means" : "what each label means", () => app.toggleInfo()),
  );
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {PageAnswer} mine
 */
export function judges(app, criterion, mine) {
  const judgements = judgementsOf(app, criterion);
  const visible = app.sideBySide ? judgements : judgements.slice(app.judge, app.judge + 1);
  return h(
    "div",
    { key: "judges" },
    judgements.length > 1 ? judgeTabs(app, judgements) : null,
    h(
      "div",
      { class: app.sideBySide && judgements.length > 1 ? "side" : "" },
      visible.map((judgement) => judgementBox(app, criterion, mine, judgement)),
    ),
  );
}

/**
 * @param {Workbench} app
 * @param {JudgementShown[]} judgements
 */
function judgeTabs(app, judgements) {
  return h(
    "div",
    { class: "tabs", role: "group", "aria-label": "Judges" },
    judgements.map(({ judge }, number) =>
      h("button", {
        class: number === app.judge ? "on" : "",
        key: judge.id,
        "aria-pressed": String(number === app.judge),
        onclick: () => app.comparison.setJudge(number),
        text: judge.name,
      }),
    ),
    h(
      "button",
      { class: "quiet", key: "V", onclick: () => app.toggleSide() },
      h("kbd", { text: "V" }),
      app.sideBySide ? " one at a time" : " side by side",
    ),
  );
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {PageAnswer} mine
 * @param {JudgementShown} judgement
 */
function judgementBox(app, criterion, mine, judgement) {
  const { judge, reasoning } = judgement;
  const response = app.data.responses[`${judge.id}/${criterion.id}`] || {};
  const box = h(
    "div",
    { class: "judgement", "data-judge": judge.id, key: judge.id },
    h("p", { class: "small", title: judge.identity, text: judge.line }),
  );
  if (judgement.status !== "ok") {
    box.append(
      h(
        "p",
        { class: "failure" },
        h("strong", { text: "No answer from the judge: " }),
        judgement.failure + ".",
      ),
      reasoning ? h("p", { class: "small", text: reasoning }) : "",
    );
    return box;
  }
  const isAnswered = mine.label !== null || mine.cannot_rate !== null; // open review shows the judge earlier
  const { kind, word } = compareLabels(criterion, mine, judgement);
  box.append(
    h(
      "p",
      { class: "versus" },
      h(
        "span",
        {},
        "you ",
        h("strong", {
          text: mine.cannot_rate ? "cannot rate" : levelName(criterion, mine.label),
        }),
      ),
      h("span", {}, "judge ", h("strong", { text: levelName(criterion, judgement.label) })),
      isAnswered ? h("span", { class: "diff " + kind, text: `${SIGNS[kind]} ${word}` }) : null,
    ),
  );
  if (judgement.rule_broken) box.append(h("p", { class: "failure", text: judgement.rule_broken }));
  box.append(
    reasoning
      ? h("blockquote", { dir: "auto" }, drawParts(reasoning, emphasisIn(reasoning)))
      : h("p", {
          class: "small",
          text: judgement.erased ? "The judge's reasons were erased." : "This judge gave no reasons.",
        }),
  );
  if (judgement.cited.length) {
    box.append(
      h(
        "p",
        { class: "small" },
        h("kbd", { text: "L" }),
        " turns it cites: ",
        judgement.cited.map((turn) =>
          h("button", {
            class: "quiet cite",
            onclick: () => jumpToTurn(app, turn),
            text: String(turn),
          }),
        ),
      ),
    );
  }
  if (reasoning) {
    box.append(reasoningChoices(app, criterion, judge, response.reasoning ?? null));
    if (response.reasoning || response.comment) box.append(commentBox(app, criterion, judge, response));
  }
  if (response.decision)
    box.append(
      h("p", {
        class: "small",
        text:
          response.decision === "keep" ? "You kept your label." : "You changed your label after seeing this.",
      }),
    );
  return box;
}

/**
 * The choices for how far the judge's reasoning holds.
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {PageJudge} judge
 * @param {string | null} chosen
 */
function reasoningChoices(app, criterion, judge, chosen) {
  const buttons = Object.entries(app.data.reasoning_words).map(([id, { key, text }]) =>
    h(
      "button",
      {
        role: "radio",
        "aria-checked": String(chosen === id),
        class: chosen === id ? "on" : "",
        onclick: () => app.comparison.judgeReasoning(criterion, judge.id, id),
      },
      h("kbd", { text: key.toUpperCase() }),
      ` ${text}`,
    ),
  );
  return h(
    "div",
    {
      class: "choices",
      key: "holds",
      role: "radiogroup",
      "aria-label": "This reasoning is",
    },
    h("span", { class: "small", text: "This reasoning is" }),
    buttons,
  );
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 */
function changeBox(app, criterion) {
  const { comparison } = app,
    { change } = comparison;
  return h(
    "div",
    { class: "change", key: "change" },
    h("p", {
      class: "small",
      text: "Your new label. The first one stays on record.",
    }),
    choices(criterion, { label: change.label, also: [] }, (label) => comparison.setChange({ label })),
    textField(
      `reason ${app.data.unit.id} ${criterion.id}`,
      {
        class: "reason",
        rows: 2,
        placeholder: "reason (required)",
        "aria-label": "Reason for the change",
      },
      change.reason,
      (reason) => {
        change.reason = reason;
        comparison.refreshButton();
      },
    ),
    h(
      "p",
      { class: "tools" },
      h(
        "button",
        {
          class: "main save-change",
          disabled: !comparison.changeReady(),
          onclick: () => comparison.saveChange(criterion),
        },
        "Save the change ",
        h("kbd", { text: "Ctrl+Enter" }),
      ),
      h(
        "button",
        { class: "quiet", onclick: () => app.answers.setMode(null) },
        h("kbd", { text: "Esc" }),
        " cancel",
      ),
    ),
  );
}
