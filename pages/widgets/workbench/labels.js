// Answers, labels and the judges' labels in words.

import { words } from "../scripts/dom.js";

/** @import { PageAnswer, PageCriterion, PageJudge, PageJudgement, PageRating } from "./contract.d.ts" */
/** @import { Workbench } from "./app.js" */

/** @type {PageAnswer} */
export const EMPTY = { label: null, cannot_rate: null, also: [], confidence: null, note: "", evidence: [] };
/** @type {PageRating} */
export const NO_RATING = { ...EMPTY, source: "", reason: null, first: null };
/** @type {Record<number, string>} */
export const SURE = { 1: "unsure", 2: "fairly sure", 3: "sure" };
/** @type {PageJudgement} */
const NO_JUDGEMENT = {
  status: "missing",
  failure: "the judge gave no label for this criterion",
  label: null,
  reasoning: null,
  erased: false,
  cited: [],
  rule_broken: null,
};

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 */
export function answered(app, criterion) {
  const answer = app.answer(criterion.id);
  return criterion.forced !== null || answer.label !== null || answer.cannot_rate !== null;
}

/**
 * @param {PageCriterion} criterion
 * @param {string | null} id
 */
export function levelName(criterion, id) {
  const level = criterion.levels.find((item) => item.id === id);
  if (!level) return id ?? "";
  if (level.name === level.id) return level.id;
  return `${/^\d+$/.test(level.id) ? level.id + " " : ""}${level.name}`;
}

/**
 * Return a label's number if labels are numbers, else its name.
 * @param {PageCriterion} criterion
 * @param {string | null} id
 */
function shortName(criterion, id) {
  return id !== null && /^\d+$/.test(id) ? id : levelName(criterion, id);
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {PageAnswer} answer
 */
export function answerText(app, criterion, answer) {
  if (answer.cannot_rate) return `cannot rate: ${app.data.cannot_rate[answer.cannot_rate]}`;
  return answer.label === null ? "" : levelName(criterion, answer.label);
}

/**
 * Return each judge's answer for a criterion, in the judges' order; empty before the reveal.
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @returns {(PageJudgement & { judge: PageJudge })[]}
 */
export function judgementsOf(app, criterion) {
  const { reveal } = app.data;
  if (!reveal) return [];
  const byJudge = reveal.judgements[criterion.id];
  return reveal.judges.map((judge) => ({ judge, ...(byJudge?.[judge.id] || NO_JUDGEMENT) }));
}

/** @typedef {"same" | "differs" | "none"} ComparisonKind */
/** @type {Record<ComparisonKind, string>} */
export const SIGNS = { same: "=", differs: "≠", none: "·" };

/**
 * Compare a label with a judge's answer. If either isn't a label, they are neither the same nor different.
 * @param {PageCriterion} criterion
 * @param {Pick<PageAnswer, "label"> & { source?: string }} mine
 * @param {Pick<PageJudgement, "status" | "label">} judgement
 * @returns {{ kind: ComparisonKind, word: string }}
 */
export function compareLabels(criterion, mine, judgement) {
  if (mine.source === "rule" || judgement.status !== "ok" || mine.label === null || judgement.label === null)
    return { kind: "none", word: "not compared" };
  if (mine.label === judgement.label) return { kind: "same", word: "same" };
  const order = criterion.levels.filter((level) => level.value !== null).map((level) => level.id);
  const [a, b] = [order.indexOf(mine.label), order.indexOf(judgement.label)];
  if (criterion.ordinal && a >= 0 && b >= 0) {
    const steps = Math.abs(a - b);
    return { kind: "differs", word: `differs by ${steps} (judge ${b < a ? "lower" : "higher"})` };
  }
  return { kind: "differs", word: "differs" };
}

/**
 * Compare the label with all judges that may be shown: it differs if it differs from any of them.
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @returns {ComparisonKind}
 */
export function compareWithJudges(app, criterion) {
  const mine = app.data.ratings[criterion.id] || NO_RATING;
  const kinds = judgementsOf(app, criterion).map(
    (judgement) => compareLabels(criterion, mine, judgement).kind,
  );
  if (kinds.includes("differs")) return "differs";
  return kinds.includes("same") ? "same" : "none";
}

/**
 * Return, for each judge with another label, what the person decided about it; null before.
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 */
function decisionsOf(app, criterion) {
  const mine = app.data.ratings[criterion.id] || NO_RATING;
  return judgementsOf(app, criterion)
    .filter((judgement) => compareLabels(criterion, mine, judgement).kind === "differs")
    .map(({ judge }) => app.data.responses[`${judge.id}/${criterion.id}`]?.decision ?? null);
}

/**
 * Return the places of judges with another label that the person has neither kept nor changed theirs for.
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 */
export function openDifferences(app, criterion) {
  const mine = app.data.ratings[criterion.id] || NO_RATING;
  return judgementsOf(app, criterion).flatMap((judgement, place) => {
    const decision = app.data.responses[`${judgement.judge.id}/${criterion.id}`]?.decision;
    return compareLabels(criterion, mine, judgement).kind === "differs" && !decision ? [place] : [];
  });
}

/**
 * Say how many differences are left to answer; "" for none.
 * @param {Workbench} app
 */
export function differencesLeft(app) {
  const left = app.data.criteria.filter((criterion) => openDifferences(app, criterion).length).length;
  return left ? `${words(left, "difference", "differences")} left to look at` : "";
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {PageRating} mine
 */
export function summaryOf(app, criterion, mine) {
  if (mine.source === "rule") return `by rule: ${levelName(criterion, mine.label)}`;
  const own = mine.cannot_rate ? "cannot rate" : levelName(criterion, mine.label) || "not asked";
  const parts = [`you ${own}`];
  const judgements = judgementsOf(app, criterion);
  if (!judgements.length) return parts[0];
  if (judgements.length === 1) {
    const [judgement] = judgements;
    const isLabel = judgement.status === "ok";
    parts.push(isLabel ? `judge ${levelName(criterion, judgement.label)}` : "judge: no answer");
    parts.push(compareLabels(criterion, mine, judgement).word);
  } else {
    const labels = judgements.map(({ status, label }) =>
      status === "ok" ? shortName(criterion, label) : "no answer",
    );
    parts.push(`judges ${labels.join(", ")}`);
    if (compareWithJudges(app, criterion) === "none") parts.push("not compared");
  }
  const decisions = decisionsOf(app, criterion);
  if (decisions.includes("keep") && !decisions.includes(null)) parts.push("kept");
  return parts.join(" · ");
}
