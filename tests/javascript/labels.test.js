// What the page says of a label beside what judges gave: the same, different, or nothing to compare. And of what was
// committed when it goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  EMPTY,
  NO_RATING,
  SIGNS,
  compareLabels,
  compareWithJudges,
  differencesLeft,
  summaryOf,
} from "../../pages/widgets/workbench/labels.js";
import { committedBefore } from "../../pages/widgets/workbench/units.js";

/** @import { PageCriterion, PageData, PageJudgement, PageRating } from "../../pages/widgets/workbench/contract.d.ts" */
/** @import { Workbench } from "../../pages/widgets/workbench/app.js" */

const CRITERION = /** @type {PageCriterion} */ (
  /** @type {unknown} */ ({
    id: "warm",
    ordinal: true,
    levels: ["1", "2", "3", "4"].map((id) => ({ id, name: id, key: id, value: Number(id) })),
  })
);

/**
 * @param {string | null} label null for an answer that failed
 * @returns {PageJudgement}
 */
function judgement(label) {
  const status = label === null ? "failed" : "ok";
  return { status, failure: "", label, reasoning: null, erased: false, cited: [], rule_broken: null };
}

/**
 * @param {Partial<PageRating>} answer
 * @returns {PageRating}
 */
function rating(answer) {
  return { ...NO_RATING, source: "given", ...answer };
}

const CANNOT = rating({ cannot_rate: "other" });

/**
 * A committed unit of one criterion, with these answers of judges.
 * @param {PageRating} mine
 * @param {(string | null)[]} labels
 * @param {(string | null)[]} decisions about each judge's
 */
function workbench(mine, labels, decisions = []) {
  const judges = labels.map((_, number) => ({ id: number + 1, name: `Judge ${number + 1}` }));
  const given = Object.fromEntries(labels.map((label, number) => [number + 1, judgement(label)]));
  const data = {
    criteria: [CRITERION],
    committed_at: "2026-11-21T08:00:00Z",
    ratings: { warm: mine },
    responses: Object.fromEntries(decisions.map((decision, number) => [`${number + 1}/warm`, { decision }])),
    reveal: { judges, judgements: { warm: given } },
  };
  return /** @type {Workbench} */ (/** @type {unknown} */ ({ data, answer: () => EMPTY }));
}

/** @type {[string, PageRating, (string | null)[], string, string][]} */
const CASES = [
  ["the same label", rating({ label: "2" }), ["2"], "=", "you 2 · judge 2 · same"],
  ["another label", rating({ label: "2" }), ["4"], "≠", "you 2 · judge 4 · differs by 2 (judge higher)"],
  ["not to be rated", CANNOT, ["4"], "·", "you cannot rate · judge 4 · not compared"],
  ["a failed call", rating({ label: "2" }), [null], "·", "you 2 · judge: no answer · not compared"],
  ["neither a label", CANNOT, [null], "·", "you cannot rate · judge: no answer · not compared"],
  ["by rule", rating({ label: "2", source: "rule" }), ["2"], "·", "by rule: 2"],
  ["no judge", rating({ label: "2" }), [], "·", "you 2"],
  ["several judges", rating({ label: "2" }), ["2", "4", "2"], "≠", "you 2 · judges 2, 4, 2"],
  ["one of several failed", rating({ label: "2" }), ["2", null], "=", "you 2 · judges 2, no answer"],
  [
    "all of several failed",
    rating({ label: "2" }),
    [null, null],
    "·",
    "you 2 · judges no answer, no answer · not compared",
  ],
  [
    "not to be rated, several judges",
    CANNOT,
    ["2", "4"],
    "·",
    "you cannot rate · judges 2, 4 · not compared",
  ],
];

for (const [what, mine, labels, sign, summary] of CASES) {
  test(`${what}: ${sign} ${summary}`, () => {
    const app = workbench(mine, labels);
    assert.deepEqual(
      [SIGNS[compareWithJudges(app, CRITERION)], summaryOf(app, CRITERION, mine)],
      [sign, summary],
    );
  });
}

test("a label outside the order of the levels differs without a number of steps", () => {
  const comparison = compareLabels(CRITERION, rating({ label: "2" }), judgement("elsewhere"));
  assert.deepEqual(comparison, { kind: "differs", word: "differs" });
});

/** @type {[string, PageRating, (string | null)[], (string | null)[], string, string][]} */
const DECISIONS = [
  ["not looked at", rating({ label: "2" }), ["3"], [], "differs by 1 (judge higher)", "1 difference"],
  ["kept", rating({ label: "2" }), ["3"], ["keep"], "differs by 1 (judge higher) · kept", ""],
  ["changed", rating({ label: "2" }), ["3"], ["change"], "differs by 1 (judge higher)", ""],
  ["kept although the same", rating({ label: "2" }), ["2"], ["keep"], "same", ""],
  ["kept where nothing is compared", CANNOT, ["2"], ["keep"], "not compared", ""],
  ["a failed call", rating({ label: "2" }), [null], [], "not compared", ""],
  ["one of two", rating({ label: "2" }), ["3", "4"], ["keep"], "judges 3, 4", "1 difference"],
  ["both of two", rating({ label: "2" }), ["3", "4"], ["keep", "keep"], "judges 3, 4 · kept", ""],
  ["all that differ", rating({ label: "2" }), ["2", "4"], [null, "keep"], "judges 2, 4 · kept", ""],
];

for (const [what, mine, labels, decisions, summary, left] of DECISIONS) {
  test(`a difference, ${what}: ${summary}, ${left || "nothing"} left`, () => {
    const app = workbench(mine, labels, decisions);
    assert.ok(summaryOf(app, CRITERION, mine).endsWith(` · ${summary}`), summaryOf(app, CRITERION, mine));
    assert.equal(differencesLeft(app), left && `${left} left to look at`);
  });
}

/**
 * @param {number} position
 * @param {string} state of the first in the list
 * @param {{ reader?: number, committed_at?: string | null }} more
 */
function pageOf(position, state, { reader = 1, committed_at = null } = {}) {
  const rail = [
    [1, state],
    [2, "open"],
  ];
  const data = { unit: { position }, reader: { id: reader }, committed_at, rail };
  return /** @type {PageData} */ (/** @type {unknown} */ (data));
}

test("what the page went on from is said to be committed only where it is", () => {
  const before = pageOf(1, "open");
  for (const state of ["committed", "compared", "due"])
    assert.equal(committedBefore(before, pageOf(2, state)), 1);
  for (const state of ["open", "begun", "skipped"])
    assert.equal(committedBefore(before, pageOf(2, state)), null);
});

test("nothing is said of what was committed before, is still there, or is somebody else's", () => {
  assert.equal(
    committedBefore(pageOf(1, "committed", { committed_at: "now" }), pageOf(2, "committed")),
    null,
  );
  assert.equal(committedBefore(pageOf(1, "open"), pageOf(1, "committed")), null);
  assert.equal(committedBefore(pageOf(1, "open"), pageOf(2, "committed", { reader: 2 })), null);
});
