// Which questions are shown where the next one depends on the answer, and what becomes of answers to others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Answers } from "../../pages/widgets/workbench/answers.js";
import { askedCriteria, shownCriteria } from "../../pages/widgets/workbench/asked.js";
import { EMPTY } from "../../pages/widgets/workbench/labels.js";

/** @import { PageAnswer, PageCriterion, PageData } from "../../pages/widgets/workbench/contract.d.ts" */
/** @import { Workbench } from "../../pages/widgets/workbench/app.js" */

/**
 * @param {string} id
 * @param {Record<string, string[]>} asked_when
 */
function criterion(id, asked_when = {}) {
  const levels = ["YES", "NO"].map((label) => ({ id: label }));
  return /** @type {PageCriterion} */ (/** @type {unknown} */ ({ id, asked_when, forced: null, levels }));
}

const FORM = [
  criterion("risk"),
  criterion("missed", { risk: ["YES"] }),
  criterion("alarm", { risk: ["NO"] }),
  criterion("tone", { missed: ["YES", "NO"] }),
];

/** @param {PageCriterion[]} form */
function workbench(form = FORM) {
  /** @type {Map<string, PageAnswer>} */
  const local = new Map();
  /** @type {any[]} */
  const sent = [];
  const app = {
    form,
    data: { criteria: form, unit: { id: 7 }, committed_at: null, ratings: {}, reveal: null },
    local,
    focus: 0,
    said: "",
    outbox: { put: (/** @type {any} */ event) => sent.push(event) },
    holdBack: () => false,
    paintPad: () => {},
    say: (/** @type {string} */ text) => (app.said = text),
    answer: (/** @type {string} */ id) => local.get(id) ?? EMPTY,
    chooseCriteria: () => {
      const data = /** @type {PageData} */ (/** @type {unknown} */ (app.data));
      app.data.criteria = shownCriteria(form, data, app.answer);
    },
  };
  app.chooseCriteria();
  const answers = new Answers(/** @type {Workbench} */ (/** @type {unknown} */ (app)));
  return { app, answers, sent };
}

/** @param {{ data: { criteria: PageCriterion[] } }} app */
const shown = (app) => app.data.criteria.map(({ id }) => id);

/** @type {[Record<string, string | null>, string[]][]} */
const PATHS = [
  [{}, ["risk"]],
  [{ risk: "YES" }, ["risk", "missed"]],
  [{ risk: "NO" }, ["risk", "alarm"]],
  [{ risk: "YES", missed: "NO" }, ["risk", "missed", "tone"]],
  [{ risk: "YES", missed: "cannot" }, ["risk", "missed"]],
  [{ risk: null }, ["risk"]],
  [{ missed: "YES" }, ["risk"]], // an answer to what is not asked opens nothing
];

for (const [labels, asked] of PATHS) {
  test(`after ${JSON.stringify(labels)} are asked ${asked.join(", ")}`, () => {
    assert.deepEqual([...askedCriteria(FORM, (id) => labels[id] ?? null)], asked);
  });
}

test("a question comes with the answer that asks it", () => {
  const { app, answers } = workbench();
  assert.deepEqual(shown(app), ["risk"]);
  answers.set("risk", { label: "YES" });
  assert.deepEqual(shown(app), ["risk", "missed"]);
  answers.set("missed", { label: "NO" });
  assert.deepEqual(shown(app), ["risk", "missed", "tone"]);
});

test("an answer that closes questions drops theirs, says so and tells the server; undo brings them back", () => {
  const { app, answers, sent } = workbench();
  answers.set("risk", { label: "YES" });
  answers.set("missed", { label: "NO", note: "late" });
  answers.set("tone", { label: "YES" });
  sent.length = 0;
  answers.set("risk", { label: "NO" });
  assert.deepEqual(shown(app), ["risk", "alarm"]);
  assert.match(app.said, /^2 answers removed/);
  assert.deepEqual(
    sent.map(({ criterion: id, answer }) => [id, answer.label, answer.note]),
    [
      ["risk", "NO", ""],
      ["missed", null, "late"],
      ["tone", null, ""],
    ],
  );
  answers.setFocus = () => true;
  answers.undo();
  assert.deepEqual(shown(app), ["risk", "missed", "tone"]);
  assert.deepEqual([app.answer("missed").label, app.answer("tone").label], ["NO", "YES"]);
});

test("undo brings back also what it closes itself on the way", () => {
  const form = [
    criterion("risk"),
    criterion("missed", { risk: ["YES"] }),
    criterion("tone", { risk: ["NO"], missed: ["YES", "NO"] }),
  ];
  const { app, answers, sent } = workbench(form);
  answers.set("risk", { label: "YES" });
  answers.set("missed", { label: "NO" });
  answers.set("tone", { label: "YES" });
  answers.set("risk", { label: "NO" }); // closes "missed"; "tone" stays
  assert.deepEqual(shown(app), ["risk", "tone"]);
  answers.setFocus = () => true;
  answers.undo();
  assert.deepEqual(
    form.map(({ id }) => app.answer(id).label),
    ["YES", "NO", "YES"],
  );
  const last = new Map(sent.map(({ criterion: id, answer }) => [id, answer.label]));
  assert.deepEqual(
    [...last],
    [
      ["risk", "YES"],
      ["missed", "NO"],
      ["tone", "YES"],
    ],
  ); // as the server has it
});

test("undo brings labels back and takes no words that were written since", () => {
  const { app, answers, sent } = workbench();
  answers.set("risk", { label: "YES" });
  answers.set("missed", { label: "NO", note: "first" });
  answers.set("risk", { label: "NO" }); // closes "missed"
  answers.set("risk", { label: "YES" });
  answers.set("missed", { note: "first, and more" }, { typing: true });
  answers.setFocus = () => true;
  answers.undo();
  answers.undo();
  assert.deepEqual(shown(app), ["risk", "missed", "tone"]);
  assert.deepEqual([app.answer("missed").label, app.answer("missed").note], ["NO", "first, and more"]);
  const last = sent.filter(({ criterion: id }) => id === "missed").pop();
  assert.equal(last.answer.note, "first, and more");
});

test("what a rule fills in opens what is asked after it", () => {
  const form = [
    criterion("risk"),
    { ...criterion("steady"), forced: "NA" },
    criterion("tone", { steady: ["NA"] }),
  ];
  assert.deepEqual(shown(workbench(form).app), ["risk", "steady", "tone"]);
});

test("after the commit what was asked of the person or of a judge is shown", () => {
  const data = /** @type {PageData} */ (
    /** @type {unknown} */ ({
      committed_at: "2026-11-21T08:00:00Z",
      ratings: { risk: {}, alarm: {} },
      reveal: { judgements: { risk: {}, missed: {} } },
    })
  );
  const ids = shownCriteria(FORM, data, () => EMPTY).map(({ id }) => id);
  assert.deepEqual(ids, ["risk", "missed", "alarm"]);
});

test("a name of every object is no answer", () => {
  const form = [criterion("constructor"), criterion("b", { constructor: ["YES"] })];
  assert.deepEqual([...askedCriteria(form, () => null)], ["constructor"]);
});
