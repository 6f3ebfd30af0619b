// The other side of the pad: computed numbers of this conversation. They are not labels and never become labels.
import { lineChart } from "./curve.js";
import { h, words } from "../scripts/dom.js";
import { draw } from "../scripts/draw.js";
import { stepPairs } from "./step_pairs.js";

/**
 * @import { AlignmentPanel, EntityPanel, GoalPanel, MatchedSteps, MetricNumber } from "./contract.d.ts"
 * @import { MetricsPanel, RubricPanel, StepPanel } from "./contract.d.ts"
 */
/** @import { Children } from "../scripts/dom.js" */
/** @import { Workbench } from "./app.js" */

/**
 * @param {Workbench} app
 * @param {MetricsPanel} metrics
 */
export function renderMetrics(app, metrics) {
  const parts = [
    metrics.note ? h("p", { class: "small", text: metrics.note }) : null,
    ...metrics.judges.map(judgeMetrics),
    metrics.goal ? goalMetrics(app, metrics.goal) : null,
    metrics.step_pairs ? stepPairs(app, metrics.step_pairs) : null,
    metrics.steps ? stepMetrics(metrics.steps) : null,
    metrics.entities ? entityMetrics(metrics.entities) : null,
  ];
  draw(app.rows, padTabs(app), parts);
}

/** @param {Workbench} app */
export function padTabs(app) {
  if (!app.data.metrics) return null;
  return h(
    "p",
    { class: "tabs", key: "tabs" },
    h("button", {
      class: app.metricsOpen ? "" : "on",
      "aria-pressed": String(!app.metricsOpen),
      onclick: () => app.toggleMetrics(false),
      text: "Rating",
    }),
    h(
      "button",
      {
        class: app.metricsOpen ? "on" : "",
        "aria-pressed": String(app.metricsOpen),
        onclick: () => app.toggleMetrics(true),
      },
      "Metrics ",
      h("kbd", { text: "W" }),
    ),
  );
}

/** @param {number | null | undefined} value */
function number(value) {
  return value === null || value === undefined ? "none" : value.toFixed(3).replace(/^-(0\.0+)$/, "$1");
}

/** @param {MetricNumber} metric */
function stated({ value, why }) {
  return value === null ? `none (${why.replace(/\.$/, "")})` : number(value);
}

/**
 * @param {string} title
 * @param {Children[]} children
 */
function block(title, ...children) {
  return h("section", { class: "metric", key: title }, h("h3", { text: title }), ...children);
}
/** @param {string} text */
function stale(text) {
  return text ? h("p", { class: "failure", text }) : null;
}
/**
 * @param {string} summary
 * @param {Children[]} children
 */
function more(summary, ...children) {
  return h("details", { key: summary }, h("summary", { text: summary }), ...children);
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head.map((text) => h("th", { scope: "col", text })),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          row.map((text, column) =>
            h(column ? "td" : "th", { text, scope: column ? null : "row", dir: column ? null : "auto" }),
          ),
        ),
      ),
    ),
  );
}

/** @param {AlignmentPanel | RubricPanel} judge */
function judgeMetrics(judge) {
  if (judge.metric === "plan_alignment") {
    return block(
      `Plan-output alignment from ${judge.name}'s labels: ${stated(judge)}`,
      judge.strategies.map((strategy) =>
        h(
          "div",
          { class: "judgement" },
          h(
            "p",
            {},
            h("strong", { text: strategy.name }),
            ` ${strategy.score === null ? "no score: the call failed or gave none" : `${strategy.score} of 2`}`,
          ),
          strategy.reasoning ? h("blockquote", { dir: "auto", text: strategy.reasoning }) : null,
        ),
      ),
      h("p", {
        class: "small",
        text: "Mean score of the declared strategies, divided by 2. A strategy without a score is not counted as 0; instead, there is no number.",
      }),
    );
  }
  const decided =
    judge.passed === null
      ? ""
      : judge.passed
        ? ", pass"
        : judge.gate_failed
          ? ", rejected by the safety gate"
          : ", fail";
  return block(
    `Rubric score from ${judge.name}'s labels: ${stated(judge)}${decided}`,
    judge.value === null
      ? null
      : table(
          ["category", "score"],
          judge.categories.map(([name, value]) => [name, number(value)]),
        ),
    judge.value !== null && judge.applicable !== null
      ? h("p", { class: "small", text: `Over applicable criteria only: ${number(judge.applicable)}.` })
      : null,
  );
}

/**
 * @param {Workbench} app
 * @param {GoalPanel} goal
 */
function goalMetrics(app, goal) {
  const marks = goal.truncated_from
    ? [{ turn: goal.truncated_from, text: `from turn ${goal.truncated_from} truncated` }]
    : [];
  const rows = goal.windowed.map((value, index) => [
    `turn ${index + 1}`,
    number(value),
    number(goal.truncated[index]),
    number(goal.local[index]),
    String(goal.tokens[index]),
  ]);
  return block(
    "Session goal alignment",
    stale(goal.stale),
    wholeTexts(goal),
    lineChart({
      label:
        "Alignment of all clinical actions up to each turn with the plan of care; the table below has the numbers",
      lines: [
        { name: "windows", values: goal.windowed },
        { name: "beginning only", values: goal.truncated, dash: "4 3" },
      ],
      bars: goal.local,
      marks,
      guides: app.bandsShown ? goal.bands : [],
    }),
    h("p", {
      class: "small",
      text: "The line shows all clinical actions up to the turn, read in windows. The dashed line is the published method: only what the model reads at once. Bars show the actions of that turn alone. Where there is no line, there is no action yet.",
    }),
    h(
      "p",
      { class: "small" },
      h("button", {
        class: "quiet",
        key: "bands",
        onclick: () => {
          app.bandsShown = !app.bandsShown;
          app.paintPad();
        },
        text: app.bandsShown ? "hide the published bands" : "show the published bands",
      }),
      app.bandsShown ? ` 0.6 and 0.8. ${goal.bands_note}` : null,
    ),
    more("Numbers by turn", table(["", "windows", "beginning", "this turn", "word pieces"], rows)),
    goal.plan
      ? more(`Plan of care (${goal.plan_label})`, h("p", { dir: "auto", class: "text", text: goal.plan }))
      : null,
    goal.slope
      ? h("p", {
          class: "small",
          text: `Slope per turn: ${stated(goal.slope)}. It compares wording, not care: words from the plan score high even in a sentence that contradicts the plan.`,
        })
      : null,
    h("p", { class: "small", text: `${goal.model}. Word list for clinical actions: ${goal.lexicon}.` }),
  );
}

/**
 * Show the numbers of the whole conversation; nothing if only a turn is rated.
 * @param {GoalPanel} goal
 */
function wholeTexts({ actions_windowed, actions_truncated, full_windowed, full_truncated }) {
  if (!actions_windowed || !actions_truncated || !full_windowed || !full_truncated) return null;
  return table(
    ["", "whole text in windows", "beginning only (published)"],
    [
      ["clinical actions", stated(actions_windowed), stated(actions_truncated)],
      ["everything said", stated(full_windowed), stated(full_truncated)],
    ],
  );
}

/** @param {StepPanel} steps */
function stepMetrics(steps) {
  const { pairs, contested = [], unmatched_gold = [], unmatched_model = [] } = steps;
  return block(
    `Step-F1: ${stated(steps.published)}`,
    stale(steps.stale),
    h("p", {
      class: "small",
      text:
        `${words(steps.steps, "step", "steps")} of the assistant, ${words(steps.gold, "step", "steps")} of the expert; precision ${number(steps.precision)}, recall ${number(steps.recall)}; ` +
        `with each of the expert's steps used once: ${stated(steps.exclusive)}. Two steps match if they share enough words (Dice at least ${steps.threshold}).`,
    }),
    pairs
      ? [
          pairs.map(stepPair),
          pairs.length ? null : h("p", { text: "No step matches one of the expert's." }),
          contested.length
            ? more(
                `${words(contested.length, "step", "steps")} whose best match was taken by another step`,
                contested.map(stepPair),
              )
            : null,
          more(
            `${words(unmatched_gold.length, "step", "steps")} of the expert without a match`,
            list(unmatched_gold),
          ),
          more(
            `${words(unmatched_model.length, "step", "steps")} of the assistant without a match`,
            list(unmatched_model),
          ),
          h("p", {
            class: "small",
            text: "Underlined words are shared. This compares words, not meaning: check whether the words that are not underlined reverse the meaning.",
          }),
        ]
      : null,
  );
}

/** @param {string[]} texts */
function list(texts) {
  return h(
    "ul",
    {},
    texts.map((text) => h("li", { dir: "auto", text })),
  );
}

/** @param {MatchedSteps} pair */
function stepPair(pair) {
  return h(
    "div",
    { class: "pair" },
    h(
      "p",
      { dir: "auto" },
      h("span", { class: "small", text: "assistant " }),
      ...sharedWords(pair.model, pair.shared),
    ),
    h(
      "p",
      { dir: "auto" },
      h("span", { class: "small", text: "expert " }),
      ...sharedWords(pair.gold, pair.shared),
    ),
    h("p", { class: "small", text: `Dice ${pair.dice.toFixed(2)}` }),
  );
}

/**
 * @param {string} text
 * @param {string[]} shared
 */
function sharedWords(text, shared) {
  const sharedSet = new Set(shared);
  return text
    .split(/([^\p{L}\p{N}\p{M}_-]+)/u)
    .map((part) => (sharedSet.has(part.normalize("NFKD").toLowerCase()) ? h("u", { text: part }) : part));
}

/** @param {EntityPanel} recall */
function entityMetrics(recall) {
  return block(
    "Recall of critical entities",
    stale(recall.stale),
    recall.why || recall.value !== null
      ? h("p", {
          text: `Recall at the last reply: ${stated(recall)}${recall.slope ? `; slope per turn: ${stated(recall.slope)}` : ""}.`,
        })
      : null,
    lineChart({
      label: "Share of the critical entities named in each turn",
      lines: [{ name: "recall", values: recall.curve }],
    }),
    recall.entities
      ? h("p", {
          class: "small",
          dir: "auto",
          text: `These were searched for word for word in each reply: ${recall.entities.join(", ")}. Those that the reply denies are not counted.`,
        })
      : null,
    more(
      "Numbers by turn",
      table(
        ["", "recall"],
        recall.curve.map((value, index) => [`turn ${index + 1}`, number(value)]),
      ),
    ),
  );
}
