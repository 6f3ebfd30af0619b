// The rating pad: one row per criterion, with the focused row open.
import { isConditional } from "./asked.js";
import { comparedRow, judges } from "./compare.js";
import { choices, codeOf, evidenceList, infoBox, marksOf, tool } from "./criterion_parts.js";
import { h } from "../scripts/dom.js";
import { draw } from "../scripts/draw.js";
import { SURE, answerText, answered, differencesLeft, levelName } from "./labels.js";
import { padTabs, renderMetrics } from "./metrics.js";
import { evidenceHint, noteBox } from "./note_boxes.js";
import { decisionLine, scoreBox } from "./score.js";
import { toldBox } from "./tell.js";

/** @import { PageCriterion } from "./contract.d.ts" */
/** @import { Workbench } from "./app.js" */

/**
 * @param {Workbench} app
 * @param {boolean} follow bring the open row into view, after an action of the person; an answer from the server moves
 * nothing
 */
export function renderPad(app, follow = true) {
  const { data, rows } = app;
  app.metricsOpen = Boolean(app.metricsOpen && data.metrics);
  app.pad.classList.toggle("showing-metrics", app.metricsOpen);
  const judgeCount = data.reveal?.judges.length ?? 0;
  app.root.classList.toggle("many-judges", app.sideBySide && judgeCount > 2 && !app.metricsOpen);
  if (app.metricsOpen && data.metrics) {
    renderMetrics(app, data.metrics);
    renderFoot(app);
    return;
  }
  draw(
    rows,
    data.hint ? h("p", { class: "small hint", key: "hint", text: data.hint }) : null,
    h(
      "p",
      { class: "where", key: "where" },
      padTabs(app),
      h("span", {
        class: "place",
        text: `${Math.min(app.focus + 1, data.criteria.length)} of ${data.criteria.length}${soFar(app)}`,
      }),
      h("span", { class: "grow" }),
      h(
        "button",
        { class: "quiet tell-lead", onclick: () => app.leadNote.open() },
        h("kbd", { text: "H" }),
        " tell the study lead",
      ),
      h("button", { class: "quiet", onclick: () => app.windows.openKeys(), text: "? keys" }),
    ),
    toldBox(app),
    data.score && data.committed_at ? decisionLine(data.score) : null,
    criterionRows(app),
    data.score && data.committed_at ? scoreBox(data.score) : null,
  );
  renderFoot(app);
  if (follow) keepInView(rows, rows.querySelector(".focus .change") ?? rows.querySelector(".focus"));
}

/** @param {Workbench} app */
function soFar({ data, form }) {
  return !data.committed_at && isConditional(form) ? " asked so far" : "";
}

/**
 * The rows of all criteria, a heading before each category.
 * @param {Workbench} app
 */
function criterionRows(app) {
  const { criteria, committed_at } = app.data;
  /** @type {HTMLElement[]} */
  const rows = [];
  /** @type {string | null} */
  let heading = null;
  criteria.forEach((criterion, index) => {
    const { category } = criterion;
    if (category && category.id !== heading) {
      heading = category.id;
      rows.push(
        h(
          "h3",
          { class: category.gate ? "gate" : "", key: category.id, title: category.question },
          category.name,
          category.gate ? " (safety gate)" : "",
        ),
      );
    }
    rows.push(committed_at ? comparedRow(app, criterion, index) : blindRow(app, criterion, index));
  });
  return rows;
}

/**
 * Scroll only the list; scrollIntoView would also move the page. A part higher than the list shows its beginning.
 * @param {HTMLElement} list
 * @param {Element | null} part
 */
function keepInView(list, part) {
  if (!(part instanceof HTMLElement)) return;
  const bottom = part.offsetTop + part.offsetHeight;
  if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight + 8;
  const decision = list.querySelector(".decision");
  const covered = (decision instanceof HTMLElement ? decision.offsetHeight : 0) + 30;
  if (part.offsetTop < list.scrollTop + covered) list.scrollTop = Math.max(0, part.offsetTop - covered);
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {number} index
 * @param {string} summary
 */
function rowHead(app, criterion, index, summary) {
  const focus = index === app.focus;
  const shape = focus ? "▶" : answered(app, criterion) ? "✓" : "○";
  return h(
    "button",
    {
      class: "name",
      key: "name",
      "aria-expanded": String(focus),
      onclick: () => app.answers.setFocus(index),
    },
    h("span", { class: "shape", "aria-hidden": "true", text: shape }),
    h(
      "span",
      { class: "grow" },
      codeOf(criterion),
      criterion.name,
      focus ? null : marksOf(app.answer(criterion.id)),
    ),
    h("span", { class: "label", text: summary }),
  );
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {number} index
 */
function blindRow(app, criterion, index) {
  const { answers } = app;
  const focus = index === app.focus;
  const answer = app.answer(criterion.id);
  const summary =
    criterion.forced !== null
      ? `by rule: ${levelName(criterion, criterion.forced)}`
      : [answerText(app, criterion, answer), answer.confidence ? SURE[answer.confidence] : ""]
          .filter(Boolean)
          .join(" · ");
  const row = h(
    "section",
    { class: "row" + (focus ? " focus" : ""), "data-criterion": criterion.id, key: criterion.id },
    rowHead(app, criterion, index, summary),
  );
  if (!focus) return row;
  row.append(h("p", { class: "asks", text: criterion.checks_for }));
  if (criterion.forced !== null) {
    row.append(h("p", { class: "small", text: `Filled in by rule: ${criterion.forced_why}` }));
    return row;
  }
  const waits = app.mode === "cannot"; // numbers then choose reasons
  row.append(choices(criterion, answer, (label) => answers.pick(criterion, label), waits));
  if (app.info) row.append(infoBox(criterion));
  if (app.data.reveal) row.append(judges(app, criterion, answer)); // open review only
  if (app.mode === "cannot") row.append(cannotBox(app, criterion));
  row.append(evidenceHint(app, criterion) || "", evidenceList(app, criterion, answer) || "");
  row.append(noteBox(app, criterion, answer));
  row.append(
    h(
      "p",
      { class: "tools", key: "tools" },
      tool("i", app.info ? "hide what each label means" : "what each label means", () => app.toggleInfo()),
      tool("f", answer.confidence ? `how sure: ${SURE[answer.confidence]}` : "how sure", () =>
        answers.nextConfidence(),
      ),
      tool("d", app.mode === "also" ? "also defensible: press a label's key" : "also defensible", () =>
        answers.setMode("also"),
      ),
      tool("x", "cannot rate, because ...", () => answers.setMode("cannot")),
    ),
  );
  return row;
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 */
function cannotBox(app, criterion) {
  const reasons = Object.entries(app.data.cannot_rate);
  return h(
    "div",
    { class: "cannot", key: "cannot", role: "group", "aria-label": "Cannot rate, because" },
    h("p", { class: "small", text: "Cannot rate, because (press a number, or Esc to cancel):" }),
    reasons.map(([id, text], number) =>
      h(
        "button",
        { onclick: () => app.answers.pickCannot(criterion, id) },
        h("kbd", { text: String(number + 1) }),
        ` ${text}`,
      ),
    ),
  );
}

/** @param {Workbench} app */
export function renderFoot(app) {
  const { data, foot } = app;
  const isCommitting = app.outbox.waiting.some(
    (event) => event.kind === "commit" && event.unit === data.unit.id,
  );
  if (!data.committed_at && isCommitting) {
    draw(
      foot,
      h("span", { text: app.outbox.status().bad ? "The commit is not saved yet." : "committing ..." }),
    );
    return;
  }
  if (!data.committed_at) {
    const left = data.criteria.filter((criterion) => !answered(app, criterion)).length;
    draw(
      foot,
      h("span", { text: left ? `${left} left` : "all answered" }),
      h("span", { class: "grow" }),
      h("button", { class: "quiet", onclick: () => app.units.skip() }, h("kbd", { text: "Q" }), " skip"),
      h(
        "button",
        { class: "main", disabled: left > 0, onclick: () => app.units.commit() },
        "Commit ",
        h("kbd", { text: "Ctrl+Enter" }),
      ),
    );
    return;
  }
  const { next } = data,
    left = differencesLeft(app);
  draw(
    foot,
    h("span", { class: "small", text: left ? `${data.after_commit} ${left}.` : data.after_commit }),
    h("span", { class: "grow" }),
    next
      ? h(
          "button",
          { class: "main", onclick: () => app.units.go(next) },
          data.next_label + " ",
          h("kbd", { text: data.reveal && !left ? "Enter" : "J" }),
        )
      : null,
  );
}
