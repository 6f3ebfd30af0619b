// What answers, labels and the judges' labels say, in words.

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
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {PageAnswer} answer
 */
export function answerText(app, criterion, answer) {
  if (answer.cannot_rate) return `cannot rate: ${app.data.cannot_rate[answer.cannot_rate]}`;
  return answer.label === null ? "" : levelName(criterion, answer.label);
}

/**
 * What each judge gave for a criterion, in the judges' order; nothing before the reveal.
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

/**
 * @param {PageCriterion} criterion
 * @param {string | null} mine
 * @param {string | null} theirs
 */
export function difference(criterion, mine, theirs) {
  if (mine === theirs) return { word: "same", kind: "same" };
  const order = criterion.levels.filter((level) => level.value !== null).map((level) => level.id);
  const [a, b] = [order.indexOf(mine ?? ""), order.indexOf(theirs ?? "")];
  if (criterion.ordinal && a >= 0 && b >= 0) {
    const steps = Math.abs(a - b);
    return { word: `differs by ${steps} (judge ${b < a ? "lower" : "higher"})`, kind: "differs" };
  }
  return { word: "differs", kind: "differs" };
}

/**
 * @param {Workbench} app
 * @param {PageCriterion} criterion
 * @param {PageRating} mine
 */
export function summaryOf(app, criterion, mine) {
  if (mine.source === "rule") return `by rule: ${levelName(criterion, mine.label)}`;
  const parts = [`you ${mine.cannot_rate ? "cannot rate" : levelName(criterion, mine.label)}`];
  const judgements = judgementsOf(app, criterion);
  if (!judgements.length) return parts[0];
  if (judgements.length === 1) {
    const [judgement] = judgements;
    const isLabel = judgement.status === "ok";
    parts.push(isLabel ? `judge ${levelName(criterion, judgement.label)}` : "judge: no answer");
    if (isLabel && mine.label !== null) parts.push(difference(criterion, mine.label, judgement.label).word);
  } else {
    const labels = judgements.filter(({ status }) => status === "ok");
    const same = labels.filter(({ label }) => label === mine.label).length;
    parts.push(`${same} of ${labels.length} judges same`);
  }
  return parts.join(" · ");
}
