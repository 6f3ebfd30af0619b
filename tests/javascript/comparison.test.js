// Enter beside the judge: from difference to difference, and after the last one to the next conversation.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Comparison } from "../../pages/widgets/workbench/comparison.js";
import { EMPTY } from "../../pages/widgets/workbench/labels.js";

/** @import { Workbench } from "../../pages/widgets/workbench/app.js" */

/**
 * A committed unit, the person's label "1" on every criterion.
 * @param {Record<string, (string | null)[]>} labels by criterion, each judge's label; null: it failed
 * @param {{ focus?: number, next?: number | null, sideBySide?: boolean }} settings
 */
function workbench(labels, { focus = 0, next = 8, sideBySide = false } = {}) {
  const names = Object.keys(labels);
  const levels = ["1", "2", "3"].map((id) => ({ id, name: id, key: id, value: Number(id) }));
  const judges = Object.values(labels)[0].map((_, place) => ({ id: place + 1, name: `Judge ${place + 1}` }));
  /** @type {Record<string, { decision: string }>} */
  const responses = {};
  const app = {
    data: {
      criteria: names.map((id) => ({ id, ordinal: true, levels })),
      committed_at: "2026-11-21T08:00:00Z",
      ratings: Object.fromEntries(names.map((id) => [id, { label: "1", source: "given" }])),
      responses,
      reveal: {
        judges,
        judgements: Object.fromEntries(
          names.map((id) => [
            id,
            Object.fromEntries(
              labels[id].map((label, place) => [
                place + 1,
                { status: label === null ? "failed" : "ok", label, cited: [] },
              ]),
            ),
          ]),
        ),
      },
      next,
      next_label: "Next",
      unit: { id: 5 },
    },
    mode: null,
    focus,
    judge: 0,
    sideBySide,
    said: "",
    kept: /** @type {string[]} */ ([]),
    wentTo: /** @type {number | null} */ (null),
    outbox: {
      put: (/** @type {{ criterion: string, judges: number[] }} */ { criterion, judges: ids }) =>
        app.kept.push(`${criterion} ${ids.join("")}`),
      waiting: [],
    },
    answer: () => EMPTY,
    criterion: () => app.data.criteria[app.focus],
    respond: (/** @type {string} */ criterion, /** @type {number} */ judge, /** @type {object} */ change) =>
      Object.assign((responses[`${judge}/${criterion}`] ??= { decision: "" }), change),
    answers: {
      setFocus: (/** @type {number} */ index) => {
        app.focus = index;
        app.judge = 0;
        return true;
      },
    },
    units: { go: (/** @type {number} */ position) => (app.wentTo = position) > 0 },
    paintPad: () => {},
    say: (/** @type {string} */ text) => (app.said = text),
  };
  const comparison = new Comparison(/** @type {Workbench} */ (/** @type {unknown} */ (app)));
  /** Presses Enter; where the person is then. */
  const enter = () => {
    assert.equal(comparison.enter(), true);
    return `${names[app.focus]}${judges.length > 1 ? ` ${app.judge + 1}` : ""}`;
  };
  return { app, enter };
}

test("Enter goes from difference to difference, past what is the same, and begins anew at the top", () => {
  const { app, enter } = workbench({ a: ["2"], b: ["1"], c: ["2"], d: ["1"], e: ["3"] }, { focus: 2 });
  assert.deepEqual([enter(), enter()], ["e", "a"]);
  assert.equal(app.wentTo, null);
  assert.deepEqual(app.kept, ["c 1", "e 1"]);
});

test("after the last one it stays, says so, and then goes to the next conversation", () => {
  const { app, enter } = workbench({ a: ["2"], b: ["1"] });
  assert.equal(enter(), "a");
  assert.equal(app.said, "All compared. Enter: Next.");
  assert.equal(app.wentTo, null);
  enter();
  assert.equal(app.wentTo, 8);
  assert.deepEqual(app.kept, ["a 1"], "to go on keeps nothing once more");
});

test("where nothing differs, or the judge failed, Enter goes on at once", () => {
  const { app, enter } = workbench({ a: ["1"], b: [null] });
  enter();
  assert.equal(app.wentTo, 8);
  assert.deepEqual(app.kept, []);
});

test("where no other conversation waits, it says that all are compared", () => {
  const { app, enter } = workbench({ a: ["2"] }, { next: null });
  enter();
  assert.equal(app.said, "All compared.");
  enter();
  assert.equal(app.wentTo, null);
});

test("of several judges those that differ are gone through, one after the other", () => {
  const { app, enter } = workbench({ a: ["2", "1", "3"], b: ["1", "1", "1"], c: ["1", "1", "2"] });
  assert.deepEqual([enter(), enter(), enter()], ["a 3", "c 3", "c 3"]);
  assert.deepEqual(app.kept, ["a 1", "a 3", "c 3"]);
});

test("a judge to the left who was passed over is still gone back to, on the only criterion too", () => {
  const { app, enter } = workbench({ a: ["2", "3"] });
  app.judge = 1;
  assert.equal(enter(), "a 1");
  assert.notEqual(app.said, "All compared. Enter: Next.");
});

test("side by side all judges of a criterion are answered together", () => {
  const { app, enter } = workbench({ a: ["2", "3"], b: ["1", "2"] }, { sideBySide: true });
  assert.equal(enter(), "b 2");
  assert.deepEqual(app.kept, ["a 12"]);
});

test("nothing is kept before the judge is shown", () => {
  const { app } = workbench({ a: ["2"] });
  Object.assign(app.data, { reveal: null });
  assert.equal(new Comparison(/** @type {Workbench} */ (/** @type {unknown} */ (app))).enter(), false);
});

test("in an open review Enter neither keeps nor leaves what is not committed", () => {
  const { app } = workbench({ a: ["2"] });
  Object.assign(app.data, { committed_at: null, ratings: {} });
  assert.equal(new Comparison(/** @type {Workbench} */ (/** @type {unknown} */ (app))).enter(), false);
  assert.deepEqual([app.kept, app.wentTo], [[], null]);
});

test("what was changed beside the judge is answered", () => {
  const { app, enter } = workbench({ a: ["2"], b: ["2"], c: ["3"] });
  app.respond("b", 1, { decision: "change" });
  assert.equal(enter(), "c");
});

test("what a person could not rate, or a rule filled in, is no difference", () => {
  const { app, enter } = workbench({ a: ["2"], b: ["2"], c: ["2"], d: ["2"] });
  Object.assign(app.data.ratings, { b: { label: null, cannot_rate: "other", source: "given" } });
  Object.assign(app.data.ratings, { c: { label: "1", source: "rule" } });
  assert.equal(enter(), "d");
});

test("while a change is being written Enter neither keeps nor goes on", () => {
  const { app } = workbench({ a: ["2"] });
  Object.assign(app, { mode: "change" });
  assert.equal(new Comparison(/** @type {Workbench} */ (/** @type {unknown} */ (app))).enter(), false);
  assert.deepEqual(app.kept, []);
});
