// The rater's list: the current unit, what is done, and what is due. States have a shape and a word as well as a
// colour.
import { elementIn, h } from "../scripts/dom.js";
import { draw } from "../scripts/draw.js";

/** @import { Workbench } from "./app.js" */

const STATES = {
  open: ["○", "not rated"],
  begun: ["◐", "begun"],
  skipped: ["–", "skipped"],
  committed: ["●", "committed"],
  compared: ["✓", "compared"],
  due: ["⚑", "compare with the judge"],
};

/**
 * @param {Workbench} app
 * @param {boolean} follow bring the unit on the screen into view
 */
export function renderRail(app, follow) {
  const { data } = app;
  const { committed, total, more, rest } = data.progress;
  const list = h("ul", { key: "units", class: "units", "aria-label": "What you rate" });
  for (const [position, state] of data.rail) {
    const [shape, word] = STATES[state];
    const here = position === data.unit.position;
    list.append(
      h(
        "li",
        { key: position },
        h(
          "button",
          {
            key: "go",
            class: here ? "here" : "",
            "aria-current": here ? "true" : null,
            title: word,
            tabindex: here ? 0 : -1,
            onclick: () => app.units.go(position),
          },
          h("span", { class: "shape " + state, "aria-hidden": "true", text: shape }),
          ` ${position}`,
          h("span", { class: "hidden", text: `, ${word}` }),
        ),
      ),
    );
  }
  draw(
    app.rail,
    h(
      "p",
      { class: "count" },
      h("strong", { text: committed.toLocaleString("en") }),
      total === null ? " done" : ` of ${total.toLocaleString("en")}`,
    ),
    total === null
      ? null
      : h("progress", { max: total, value: committed, "aria-label": `${committed} of ${total} committed` }),
    h("p", {
      class: "small",
      text: [data.progress.skipped ? `${data.progress.skipped} skipped` : "", data.progress.hint || "", more]
        .filter(Boolean)
        .join(" · "),
    }),
    rest ? h("p", { class: "small rest", role: "status", text: rest }) : null,
    list,
  );
  if (!follow) return;
  const units = elementIn(app.rail, ".units"),
    here = units.querySelector(".here");
  if (!(here instanceof HTMLElement)) return;
  units.scrollTop = Math.max(0, here.offsetTop - units.clientHeight / 2);
  units.scrollLeft = Math.max(0, here.offsetLeft - units.clientWidth / 2); // on a phone it is a line
}
