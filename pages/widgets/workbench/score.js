// The scores by the rater's and each judge's labels, and which criteria change the decision.
import { h } from "../scripts/dom.js";

/** @import { PageScore } from "./contract.d.ts" */

/** @param {PageScore} score */
export function decisionLine(score) {
  return h(
    "div",
    { class: "decision", key: "decision" },
    score.lines.map((line) =>
      h(
        "p",
        {},
        h("span", { class: "who", text: line.who === "You" ? "By your labels: " : `By ${line.who}'s: ` }),
        h("strong", { text: line.says }),
      ),
    ),
    score.differs.map((text) => h("p", { class: "flip", text })),
  );
}

/** @param {PageScore} score */
export function scoreBox(score) {
  return h(
    "section",
    { class: "score", key: "score", "aria-label": "Score" },
    h("h3", { text: "Score of the labels" }),
    score.lines.map((line) =>
      h(
        "p",
        {},
        h("span", { class: "who", text: line.who }),
        " ",
        h("strong", { text: line.says }),
        line.detail ? h("span", { class: "small", text: ` ${line.detail}` }) : null,
      ),
    ),
    score.categories.length
      ? h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col", text: "Category" }),
              score.lines.map((line) => h("th", { scope: "col", text: line.who })),
            ),
          ),
          h(
            "tbody",
            {},
            score.categories.map((row) =>
              h(
                "tr",
                {},
                h("th", { scope: "row", text: row.name }),
                row.values.map((value) => h("td", { text: value })),
              ),
            ),
          ),
        )
      : null,
  );
}
