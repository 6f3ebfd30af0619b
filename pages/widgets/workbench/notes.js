// Evidence, notes, certainty, and comments on a judge's reasoning. Right after a label they apply to the criterion
// just labelled, although the page has moved on, until the person goes to another one or labels it.
import { judgementsOf } from "./labels.js";
import { buttonUnder } from "../scripts/last_click.js";
import { evidenceHint } from "./note_boxes.js";
import { selectedSpan } from "./transcript.js";

/** @import { PageCriterion } from "./contract.d.ts" */
/** @import { Workbench } from "./app.js" */

export class Notes {
  /** @param {Workbench} app */
  constructor(app) {
    this.app = app;
    this.pressing = false;
  }

  subject() {
    const { app } = this;
    return app.data.criteria.find(({ id }) => id === app.labelled) || app.criterion();
  }

  /**
   * Follow a click or the Tab key into another criterion's row.
   * @param {string | undefined} id
   */
  goInto(id) {
    const { app } = this;
    if (!app.labelled || app.labelled === id) return;
    app.labelled = null;
    app.pad.querySelector(".focus .about")?.replaceWith(evidenceHint(app, app.criterion()) || "");
  }

  /**
   * Follow a mouse press, but not the second of a double click, which hits whatever row is there by then.
   * @param {MouseEvent} event
   */
  pressed(event) {
    this.pressing = true;
    setTimeout(() => {
      this.pressing = false;
    }); // the blur of the focused element comes first
    const row = event.target instanceof Element ? event.target.closest(".row") : null;
    const strays = this.app.lastClick.strays(event, buttonUnder(event));
    if (row instanceof HTMLElement && !strays) this.goInto(row.dataset.criterion);
  }

  takeEvidence() {
    const { app } = this;
    if (app.data.committed_at) return true;
    const span = selectedSpan(app);
    if (!span) {
      app.say("First select words in the conversation, or choose a message with [ and ].");
      return true;
    }
    const { id } = this.subject();
    return app.answers.set(id, { evidence: [...app.answer(id).evidence, span] });
  }

  // Right after a label its row opens again for the note; closing the note returns to the next criterion.
  open() {
    const { app } = this;
    if (app.data.committed_at || app.judged) return this.openComment();
    const subject = this.subject();
    if (subject.forced !== null) return true;
    app.answers.stay();
    if (subject.id !== app.criterion().id) app.answers.showCriterion(app.data.criteria.indexOf(subject));
    app.onward = subject.id === app.labelled;
    app.mode = "note";
    app.say("");
    app.paintPad();
    writeIn(app.pad.querySelector(".focus .note"));
    return true;
  }

  /** @param {FocusEvent} event */
  leaveNote(event) {
    const { app } = this,
      { relatedTarget, target } = event;
    app.outbox.flush();
    app.mode = null;
    // A click in the pad, the Tab key and another window don't end it: what is below them must not move.
    const goesToPad = relatedTarget instanceof Node && app.pad.contains(relatedTarget);
    const elsewhere = !this.pressing && !goesToPad && document.hasFocus();
    if (app.onward && elsewhere && target instanceof Node && target.isConnected) {
      app.onward = false;
      app.answers.moveOn();
    }
  }

  // After the reveal: comment on the reasoning shown, once the person has said how far it holds.
  openComment() {
    const { app } = this;
    const judgement = judgementsOf(app, app.criterion())[app.judge];
    if (judgement?.status !== "ok" || !judgement.reasoning) return true;
    const shown = app.pad.querySelector(`.focus .judgement[data-judge="${judgement.judge.id}"]`);
    if (!shown) return true;
    const box = shown.querySelector(".comment");
    if (box) writeIn(box);
    else app.say("First say whether the reasoning is supported: press S, P, U or T.");
    return true;
  }

  /**
   * @param {PageCriterion} criterion
   * @param {number} judge
   * @param {string} text
   */
  setComment(criterion, judge, text) {
    const { app } = this;
    const before = app.data.responses[`${judge}/${criterion.id}`]?.comment ?? "";
    const about = { unit: app.data.unit.id, criterion: criterion.id, judge };
    app.outbox.put({ kind: "comment", ...about, text, before }, true);
    app.respond(criterion.id, judge, { comment: text, comment_erased: false });
  }
}

/** @param {Element | null} box */
function writeIn(box) {
  if (!(box instanceof HTMLTextAreaElement)) return;
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
}
