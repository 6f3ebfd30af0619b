// Which criteria are shown in forms where the next question depends on the answer. The same rule as
// scoring/asked_questions.py, by which the server checks everything sent from here.

/** @import { PageAnswer, PageCriterion, PageData } from "./contract.d.ts" */

/**
 * Return the criteria that are asked: those without conditions, and those with a condition on an asked criterion that
 * has one of its labels. A criterion comes after those in its conditions.
 * @param {Pick<PageCriterion, "id" | "asked_when">[]} form
 * @param {(id: string) => string | null} labelOf
 * @returns {Set<string>}
 */
export function askedCriteria(form, labelOf) {
  /** @type {Set<string>} */
  const asked = new Set();
  for (const { id, asked_when } of form) {
    const conditions = Object.entries(asked_when);
    const isMet = conditions.some(
      ([name, labels]) => asked.has(name) && labels.includes(labelOf(name) ?? ""),
    );
    if (!conditions.length || isMet) asked.add(id);
  }
  return asked;
}

/** @param {PageCriterion[]} form */
export function isConditional(form) {
  return form.some(({ asked_when }) => Object.keys(asked_when).length > 0);
}

/**
 * Return what the pad shows: before the commit the questions asked so far, after it those asked of the person or of a
 * judge that they may see.
 * @param {PageCriterion[]} form
 * @param {Pick<PageData, "committed_at" | "ratings" | "reveal">} data
 * @param {(id: string) => PageAnswer} answerOf
 */
export function shownCriteria(form, data, answerOf) {
  if (!isConditional(form)) return form;
  const { committed_at, ratings, reveal } = data;
  if (committed_at) return form.filter(({ id }) => ratings[id] || reveal?.judgements[id]);
  const forced = new Map(form.map((criterion) => [criterion.id, criterion.forced]));
  const asked = askedCriteria(form, (id) => forced.get(id) ?? answerOf(id).label);
  return form.filter(({ id }) => asked.has(id));
}
