// Moves between units: commit, skip, go to another, switch person.
import { focusedBeside, words } from "../scripts/dom.js";
import { answered } from "./labels.js";

/** @import { PageData } from "./contract.d.ts" */
/** @import { Workbench } from "./app.js" */

const COMMITTED = new Set(["committed", "compared", "due"]);

export class Units {
  /** @param {Workbench} app */
  constructor(app) {
    this.app = app;
    this.wantsToLeave = false;
  }

  /** @param {boolean} writing whether the key was pressed in a field */
  commit(writing = false) {
    const { app } = this,
      { data } = app;
    if (data.committed_at) return true;
    const open = data.criteria.filter((criterion) => !answered(app, criterion));
    if (open.length) {
      // A person who is writing stays in the field, so that letters aren't taken for keys.
      if (!writing) app.answers.setFocus(data.criteria.indexOf(open[0]));
      app.say(`${words(open.length, "criterion is", "criteria are")} still to rate.`);
      return true;
    }
    app.answers.stay();
    focusedBeside(app.root)?.blur();
    if (app.holdBack()) return true;
    // Send what was on the screen: the server commits exactly that.
    const shown = data.criteria
      .filter((criterion) => criterion.forced === null)
      .map((criterion) => {
        const answer = app.answer(criterion.id);
        return [criterion.id, answer.label ?? answer.cannot_rate];
      });
    app.outbox.put({ kind: "commit", unit: data.unit.id, shown: Object.fromEntries(shown) });
    return true;
  }

  /** @param {number} position */
  go(position) {
    if (!this.app.holdBack()) this.app.outbox.put({ kind: "go", position });
    return true;
  }

  // Only once everything is saved, so that no word of this person stays in the browser.
  leave() {
    const { app } = this;
    this.wantsToLeave = app.outbox.waiting.length > 0;
    if (this.wantsToLeave) app.say("Your entries are being saved first; then you can switch person.");
    else app.outbox.put({ kind: "leave" });
    return true;
  }

  /** @param {1 | -1} by */
  step(by) {
    const { app } = this,
      { data } = app;
    if (by > 0 && data.committed_at && data.next) return this.go(data.next);
    if (app.holdBack()) return true;
    const wanted = data.unit.position + by;
    return wanted < 1 || wanted > data.progress.length ? true : this.go(wanted);
  }

  /**
   * An address of the unit on the screen was opened: the criterion that it names is asked for at once. What the
   * server says of it later moves nothing.
   */
  openCriterion() {
    const { app } = this,
      address = new URLSearchParams(location.search);
    if (!app.data || address.get("unit") !== String(app.data.unit.position)) return;
    const wanted = app.data.criteria.findIndex((criterion) => criterion.id === address.get("criterion"));
    if (wanted < 0) return;
    app.metricsOpen = false;
    app.answers.setFocus(wanted);
  }

  skip() {
    const { app } = this;
    if (app.data.committed_at || app.holdBack()) return true;
    app.outbox.put({ kind: "skip", unit: app.data.unit.id });
    return true;
  }
}

/**
 * The place in the list of what was committed on the screen before, where the page went on from it by itself.
 * @param {PageData} before
 * @param {PageData} data
 */
export function committedBefore(before, data) {
  const { position } = before.unit;
  if (before.committed_at || position === data.unit.position || before.reader.id !== data.reader.id)
    return null;
  const isCommitted = data.rail.some(([place, state]) => place === position && COMMITTED.has(state));
  return isCommitted ? position : null;
}
