// Pairs of steps, to be judged before the person sees their score, which the server sends only on request.
import { h } from "../scripts/dom.js";

/** @import { RateStepPair, StepPairToRate, StepPairsPanel } from "./contract.d.ts" */
/** @import { Workbench } from "./app.js" */
/** @typedef {RateStepPair["verdict"]} Verdict */

/** @type {[Verdict, string][]} */
const VERDICTS = [
  ["right", "the same"],
  ["partly", "in part"],
  ["wrong", "not the same"],
];

/**
 * @param {Workbench} app
 * @param {StepPairsPanel} panel
 */
export function stepPairs(app, panel) {
  const { pairs } = panel;
  const rated = pairs.filter(({ verdict }) => verdict).length;
  return h(
    "section",
    { class: "metric", key: "step-pairs" },
    h("h3", { text: "Do these steps say the same?" }),
    h("p", {
      class: "small",
      text: "Each pair has one step by the assistant and one by the expert. You see the program's result afterwards.",
    }),
    pairs.map((pair, place) => pairBox(app, panel, pair, place)),
    h(
      "p",
      { class: "tools" },
      h("button", {
        class: rated === pairs.length ? "main" : "",
        key: "scores",
        onclick: () => showScores(app, panel),
        text: "Show how the steps match",
      }),
      h("span", {
        class: "small",
        text: ` ${rated} of ${pairs.length} answered. ${rated < pairs.length ? "You can't answer the others" : "You can't change anything"} once this is shown.`,
      }),
    ),
  );
}

/**
 * @param {Workbench} app
 * @param {StepPairsPanel} panel
 * @param {StepPairToRate} pair
 * @param {number} place
 */
function pairBox(app, panel, pair, place) {
  const name = `pair ${place + 1}`;
  return h(
    "div",
    { class: "pair", key: name },
    h("p", { dir: "auto" }, h("span", { class: "small", text: "assistant " }), pair.model),
    h("p", { dir: "auto" }, h("span", { class: "small", text: "expert " }), pair.gold),
    h(
      "div",
      { class: "choices", key: "verdict", role: "radiogroup", "aria-label": `The steps of ${name} say` },
      VERDICTS.map(([verdict, text]) =>
        h("button", {
          role: "radio",
          "aria-checked": String(pair.verdict === verdict),
          class: pair.verdict === verdict ? "on" : "",
          onclick: () => ratePair(app, panel, pair, verdict),
          text,
        }),
      ),
    ),
  );
}

/**
 * @param {Workbench} app
 * @param {StepPairsPanel} panel
 * @param {StepPairToRate} pair
 * @param {Verdict} verdict
 */
function ratePair(app, { inputs }, pair, verdict) {
  if (pair.verdict === verdict) return;
  pair.verdict = verdict;
  const { model_step, gold_step } = pair;
  app.outbox.put({ kind: "step_pair", unit: app.data.unit.id, inputs, model_step, gold_step, verdict });
  app.paintPad(false);
}

/**
 * @param {Workbench} app
 * @param {StepPairsPanel} panel
 */
function showScores(app, { inputs }) {
  app.outbox.put({ kind: "step_scores", unit: app.data.unit.id, inputs });
}

/**
 * Put unsaved answers over the server's.
 * @param {StepPairsPanel | null | undefined} panel
 * @param {Pick<RateStepPair, "inputs" | "model_step" | "gold_step" | "verdict">} event
 */
export function layOver(panel, event) {
  if (panel?.inputs !== event.inputs) return;
  const pair = panel.pairs.find(
    ({ model_step, gold_step }) => model_step === event.model_step && gold_step === event.gold_step,
  );
  if (pair) pair.verdict = event.verdict;
}
