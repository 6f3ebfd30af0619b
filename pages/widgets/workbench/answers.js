// Answers: every action changes the page at once and puts an event into the outbox.
import { words } from "../scripts/dom.js";
import { SURE, answered, judgementsOf } from "./labels.js";
import { drawText } from "./transcript.js";

/** @import { CriterionAnswer, PageAnswer, PageCriterion } from "./contract.d.ts" */
/** @import { Mode, Workbench } from "./app.js" */
/** @typedef {{ id: string, before: PageAnswer, dropped: { id: string, before: PageAnswer }[] }} Undo */
/** @typedef {Exclude<CriterionAnswer["cannot_rate"], undefined>} CannotRate */

const ADVANCE_AFTER = 260;

export class Answers {
  /** @param {Workbench} app */
  constructor(app) {
    this.app = app;
    /** @type {Undo[]} */
    this.undoStack = [];
    /** @type {Undo["dropped"]} */
    this.dropped = []; // by the last answer
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.advance = undefined; // runs between a label and the next criterion
  }

  // Another unit, or this one committed.
  reset() {
    this.stay();
    this.undoStack = [];
  }

  stay() {
    clearTimeout(this.advance);
    this.advance = undefined;
  }

  /**
   * Notes and evidence follow the person to another criterion, but not the page when it moves on by itself.
   * @param {number} index
   */
  setFocus(index) {
    this.app.labelled = null;
    return this.showCriterion(index);
  }

  /** @param {number} index */
  showCriterion(index) {
    const { app } = this;
    this.stay();
    app.focus = Math.max(0, Math.min(index, app.data.criteria.length - 1));
    app.mode = null;
    app.judge = 0;
    app.cited = -1;
    app.onward = false;
    app.judged = false;
    app.paintPad();
    return true;
  }

  /**
   * @param {string} id
   * @param {Partial<PageAnswer>} change
   * @param {{ typing?: boolean, undoable?: boolean }} how
   */
  set(id, change, { typing = false, undoable = true } = {}) {
    const { app } = this;
    // Ignore keys between leaving a unit and showing the next one: the person has read nothing yet.
    if (app.data.committed_at || app.holdBack()) return false;
    const before = app.answer(id);
    const answer = { ...before, ...change };
    app.local.set(id, answer);
    app.outbox.put({ kind: "draft", unit: app.data.unit.id, criterion: id, answer, before }, typing);
    const dropped = (this.dropped = this.dropAnswers());
    if (undoable && !typing) this.undoStack.push({ id, before, dropped });
    if (!typing) {
      app.say(
        dropped.length
          ? `${words(dropped.length, "answer", "answers")} removed, because the question is no longer asked. Backspace undoes it.`
          : "",
      );
      app.paintPad();
    }
    if (change.evidence) this.redrawEvidence(before, answer);
    return true;
  }

  // A question that is no longer asked loses its answer, here and on the server.
  dropAnswers() {
    const { app } = this;
    app.chooseCriteria();
    const asked = new Set(app.data.criteria);
    const dropped = app.form
      .filter((criterion) => !asked.has(criterion))
      .map(({ id }) => ({ id, before: app.answer(id) }))
      .filter(({ before }) => before.label !== null || before.cannot_rate !== null);
    for (const { id, before } of dropped) {
      const answer = { ...before, label: null, cannot_rate: null, also: [], confidence: null };
      app.local.set(id, answer);
      app.outbox.put({ kind: "draft", unit: app.data.unit.id, criterion: id, answer, before });
    }
    return dropped;
  }

  /**
   * What an answer closed, once it is undone: in the form's order, so that each opens the questions behind it,
   * also those that the undoing itself closed for a moment.
   * @param {Undo["dropped"]} dropped
   */
  bringBack(dropped) {
    const { app } = this;
    for (const { id } of app.form) {
      const answer = dropped.find((item) => item.id === id)?.before;
      const isAsked = app.data.criteria.some((criterion) => criterion.id === id);
      const { note } = app.answer(id); // undoing a label keeps the note
      if (answer && isAsked) this.set(id, { ...answer, note }, { undoable: false });
    }
  }

  /**
   * @param {PageAnswer} before
   * @param {PageAnswer} after
   */
  redrawEvidence(before, after) {
    const places = [...before.evidence, ...after.evidence].map((span) => span.message);
    for (const index of new Set(places)) drawText(this.app, index);
  }

  /** @param {string} label */
  labelKey(label) {
    const { app } = this;
    if (app.mode === "change") return app.comparison.setChange({ label });
    if (app.data.committed_at) {
      app.say("This is committed. To change a label, press G and give a reason.");
      return true;
    }
    return this.pick(app.criterion(), label);
  }

  /**
   * @param {PageCriterion} criterion
   * @param {string} label
   */
  pick(criterion, label) {
    const { app } = this;
    if (criterion.forced !== null || !criterion.levels.some((level) => level.id === label)) return true;
    const answer = app.answer(criterion.id);
    const others = answer.also.filter((other) => other !== label);
    if (app.mode === "also") {
      app.mode = null;
      if (label === answer.label) {
        app.paintPad();
        return true;
      }
      return this.set(criterion.id, { also: answer.also.includes(label) ? others : [...answer.also, label] });
    }
    app.mode = null;
    app.labelled = criterion.id;
    app.judged = false;
    this.set(criterion.id, { label, cannot_rate: null, also: others });
    this.moveOnLater();
    return true;
  }

  moveOnLater() {
    clearTimeout(this.advance);
    this.advance = setTimeout(() => this.moveOn(), ADVANCE_AFTER);
  }

  // A key that starts the next answer doesn't wait for the pause.
  moveOnNow() {
    if (this.advance === undefined) return;
    clearTimeout(this.advance);
    this.moveOn();
  }

  // At the end stay, so that the last choice stays in view.
  moveOn() {
    this.advance = undefined;
    const next = this.nextOpen();
    if (next >= 0) this.showCriterion(next);
  }

  // The next criterion without an answer, from the top after the last, -1 for none.
  nextOpen() {
    const { app } = this,
      isOpen = (/** @type {PageCriterion} */ criterion) => !answered(app, criterion),
      further = app.data.criteria.findIndex((criterion, place) => place > app.focus && isOpen(criterion));
    return further >= 0 ? further : app.data.criteria.findIndex(isOpen);
  }

  // What a label's key answers: within the pause the next criterion, whose labels may be others than this one's.
  criterionMeant() {
    const { app } = this;
    return (this.advance !== undefined && app.data.criteria[this.nextOpen()]) || app.criterion();
  }

  undo() {
    const { app } = this;
    const last = this.undoStack.pop();
    if (!last || app.data.committed_at) return true;
    this.setFocus(app.data.criteria.findIndex((criterion) => criterion.id === last.id));
    const { note } = app.answer(last.id); // undoing a label keeps the note
    if (!this.set(last.id, { ...last.before, note }, { undoable: false })) return false;
    this.bringBack([...last.dropped, ...this.dropped]);
    app.messages?.forEach((_, index) => drawText(app, index));
    return true;
  }

  /**
   * @param {PageCriterion} criterion
   * @param {string} id
   */
  pickCannot(criterion, id) {
    const { app } = this;
    app.mode = null;
    app.labelled = criterion.id;
    app.judged = false;
    this.set(criterion.id, { label: null, cannot_rate: /** @type {CannotRate} */ (id), also: [] });
    if (id === "other") return app.notes.open();
    this.moveOnLater();
    return true;
  }

  /** @param {number} number */
  pickCannotNumber(number) {
    const id = Object.keys(this.app.data.cannot_rate)[number - 1];
    return id ? this.pickCannot(this.app.criterion(), id) : true;
  }

  nextConfidence() {
    const { app } = this,
      { id, name } = app.notes.subject(),
      { confidence } = app.answer(id),
      next = confidence === 3 ? null : (confidence || 0) + 1;
    if (this.set(id, { confidence: next }) && id !== app.criterion().id)
      app.say(`\u201c${name}\u201d: ${next === null ? "how sure: not given" : SURE[next]}.`);
    return true;
  }

  /** @param {Mode} mode */
  setMode(mode) {
    const { app } = this;
    if (mode === "change") {
      const mine = app.data.committed_at ? app.data.ratings[app.criterion().id] : undefined;
      if (!mine || mine.source === "rule") return true;
      const judgement = judgementsOf(app, app.criterion())[app.judge];
      app.comparison.change = { label: null, reason: "", judge: judgement ? judgement.judge.id : null };
    } else if (mode && (app.data.committed_at || app.criterion().forced !== null)) return true;
    this.stay();
    app.mode = mode;
    app.paintPad();
    return true;
  }
}
