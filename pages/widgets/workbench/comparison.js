// Actions after the reveal: keep a label, or change it with a reason, and say how far the judge's reasoning holds.
import { differencesLeft, judgementsOf, openDifferences } from "./labels.js";
import { jumpToTurn } from "./transcript.js";

/** @import { PageCriterion } from "./contract.d.ts" */
/** @import { Workbench } from "./app.js" */
/** @typedef {{ label: string | null, reason: string, judge: number | null }} LabelChange */

export class Comparison {
  /** @param {Workbench} app */
  constructor(app) {
    this.app = app;
    /** @type {LabelChange} */
    this.change = { label: null, reason: "", judge: null };
  }

  // Another unit, or this one committed.
  reset() {
    this.change = { label: null, reason: "", judge: null };
  }

  /** @param {Partial<LabelChange>} change */
  setChange(change) {
    const { app } = this;
    Object.assign(this.change, change);
    app.paintPad();
    this.reasonBox()?.focus();
    return true;
  }

  /** @returns {HTMLTextAreaElement | null} */
  reasonBox() {
    return this.app.pad.querySelector(".focus .reason");
  }

  changeReady() {
    const { label, reason } = this.change,
      { app } = this;
    return label !== null && reason.trim() !== "" && label !== app.data.ratings[app.criterion().id]?.label;
  }

  refreshButton() {
    const button = this.app.pad.querySelector(".save-change");
    if (button instanceof HTMLButtonElement) button.disabled = !this.changeReady();
  }

  /** @param {PageCriterion} criterion */
  saveChange(criterion) {
    const { app } = this,
      { label, reason, judge } = this.change;
    if (label === null || !this.changeReady()) {
      app.say("A change needs another label and a reason.");
      return true;
    }
    app.mode = null;
    app.say("");
    app.outbox.put({ kind: "change", unit: app.data.unit.id, criterion: criterion.id, label, reason, judge });
    this.reasonBox()?.blur();
    return true;
  }

  /** @param {PageCriterion} criterion */
  keep(criterion) {
    const { app } = this,
      { data } = app;
    const judgements = judgementsOf(app, criterion);
    const visible = app.sideBySide ? judgements : judgements.slice(app.judge, app.judge + 1);
    const ids = visible
      .filter(({ status, judge }) => {
        return status !== "missing" && data.responses[`${judge.id}/${criterion.id}`]?.decision !== "change";
      })
      .map(({ judge }) => judge.id);
    ids.forEach((id) => app.respond(criterion.id, id, { decision: "keep" }));
    if (ids.length)
      app.outbox.put({ kind: "keep", unit: data.unit.id, criterion: criterion.id, judges: ids });
    if (this.goToDifference()) return true;
    app.paintPad();
    app.say(data.next ? `All compared. Enter: ${data.next_label}.` : "All compared.");
    return true;
  }

  // Go to the next unanswered difference: this criterion's other judges first, then further down, then from the top.
  // Returns false if there is none.
  goToDifference() {
    const { app } = this,
      { criteria } = app.data;
    const further = openDifferences(app, app.criterion()).find((place) => place > app.judge);
    if (further !== undefined) return this.setJudge(further);
    for (let step = 1; step <= criteria.length; step += 1) {
      const index = (app.focus + step) % criteria.length;
      const [judge] = openDifferences(app, criteria[index]);
      if (judge === undefined) continue;
      app.answers.setFocus(index);
      return this.setJudge(judge);
    }
    return false;
  }

  // Keep the label and go to the next difference, or with none left to the next unit. Open review shows the judge
  // before there is a label to keep.
  enter() {
    const { app } = this,
      { data } = app;
    if (!data.reveal || !data.committed_at || app.mode !== null) return false;
    if (differencesLeft(app)) return this.keep(app.criterion());
    if (data.next) return app.units.go(data.next);
    app.say("All compared.");
    return true;
  }

  /**
   * @param {PageCriterion} criterion
   * @param {number} judge
   * @param {string} value
   */
  judgeReasoning(criterion, judge, value) {
    const { app } = this;
    app.outbox.put({ kind: "reasoning", unit: app.data.unit.id, criterion: criterion.id, judge, value });
    app.respond(criterion.id, judge, { reasoning: value });
    app.judged = true;
    app.judge = Math.max(
      0,
      judgementsOf(app, criterion).findIndex((judgement) => judgement.judge.id === judge),
    );
    app.say("");
    app.paintPad();
    return true;
  }

  /** @param {string} value */
  reasoningKey(value) {
    const { app } = this;
    const judgement = judgementsOf(app, app.criterion())[app.judge];
    if (judgement?.status !== "ok" || !judgement.reasoning) return false;
    return this.judgeReasoning(app.criterion(), judgement.judge.id, value);
  }

  /** @param {number} number */
  setJudge(number) {
    const { app } = this;
    const count = app.data.reveal ? app.data.reveal.judges.length : 0;
    if (!count) return false;
    app.judge = (number + count) % count;
    app.cited = -1;
    app.judged = false;
    app.paintPad();
    return true;
  }

  nextCited() {
    const { app } = this;
    const cited = judgementsOf(app, app.criterion())[app.judge]?.cited || [];
    if (!cited.length) return true;
    app.cited = (app.cited + 1) % cited.length;
    const turn = cited[app.cited];
    if (!jumpToTurn(app, turn))
      app.say(`The judge cites turn ${turn}, which this conversation does not have.`);
    return true;
  }
}
