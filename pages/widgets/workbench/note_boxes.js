// Text fields next to a label, and the criterion that a note or a piece of evidence is about.
import { h, words } from "../scripts/dom.js";
import { textField } from "../scripts/text_fields.js";

/** @import { PageAnswer, PageCriterion, PageJudge, PageResponse } from "./contract.d.ts" */
/** @import { Workbench } from "./app.js" */

/**
 * Name the criterion that E, O and F apply to, on the open row. A list of evidence names it already.
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 */
export function evidenceHint(app, criterion) {
  const subject = app.notes.subject(),
    { evidence } = app.answer(subject.id);
  if (subject.id === criterion.id) {
    if (evidence.length) return null;
    const how = "To add evidence for this criterion, select words in the conversation and press E.";
    return h("p", { class: "small", text: how });
  }
  const places = words(evidence.length, "place", "places");
  const where = evidence.length
    ? [h("strong", { text: `Evidence for: ${subject.name}` }), ` (${places}). E, O and F still apply there;`]
    : `E, O and F still apply to \u201c${subject.name}\u201d;`;
  const leave = " to this one once you click here or use \u2191 \u2193.";
  return h("p", { class: "small about", role: "status" }, where, leave);
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {PageAnswer} answer
 */
export function noteBox(app, criterion, answer) {
  const { notes } = app;
  return h(
    "div",
    { class: "words", key: "note" },
    h("p", { class: "small note-on", text: `Note on: ${criterion.name}` }),
    textField(
      `note ${app.data.unit.id} ${criterion.id}`,
      {
        class: "note",
        rows: answer.note || app.mode === "note" ? 3 : 1,
        "aria-label": `Note on ${criterion.name}`,
        placeholder: notes.subject().id === criterion.id ? "note (O)" : "note",
        onfocus: () => notes.goInto(criterion.id),
        onblur: (event) => notes.leaveNote(event),
      },
      answer.note,
      (note) => app.answers.set(criterion.id, { note }, { typing: true }),
    ),
  );
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {PageJudge} judge
 * @param {PageResponse} response
 */
export function commentBox(app, criterion, judge, response) {
  return h(
    "div",
    { class: "words", key: "comment" },
    textField(
      `comment ${app.data.unit.id} ${criterion.id} ${judge.id}`,
      {
        class: "comment",
        rows: 2,
        placeholder: "comment on this reasoning (O)",
        "aria-label": `Comment on the reasoning of ${judge.name} on ${criterion.name}`,
        onblur: () => app.outbox.flush(),
      },
      response.comment || "",
      (comment) => app.notes.setComment(criterion, judge.id, comment),
    ),
    response.comment_erased ? h("p", { class: "small", text: "Your comment was erased." }) : null,
  );
}
