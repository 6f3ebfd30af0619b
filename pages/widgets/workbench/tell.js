// A note to the study lead: danger, a real name in the text, or a question. Works before and after the commit.
import { clock, h } from "../scripts/dom.js";
import { nameOfKey } from "../scripts/key_names.js";
import { textField } from "../scripts/text_fields.js";

/** @import { PageCriterion, PageEscalation } from "./contract.d.ts" */
/** @import { Workbench } from "./app.js" */

export class LeadNote {
  /** @param {Workbench} app */
  constructor(app) {
    this.app = app;
    /**
     * The unsent note.
     * @type {{ unit: number, about: string | null, note: string, criterion: string | null } | null}
     */
    this.draft = null;
  }

  open() {
    const { app } = this,
      { windows } = app;
    app.answers.stay();
    if (app.leaving()) return true;
    const unit = app.data.unit.id;
    if (this.draft?.unit !== unit) this.draft = { unit, about: null, note: "", criterion: null };
    const draft = this.draft;
    windows.open(
      h("h2", { text: "Tell the study lead" }),
      h("p", { class: "small", text: "The study lead reads it. Your rating continues as before." }),
      h(
        "fieldset",
        // Typing goes into the note, wherever the focus is.
        { class: "tell", onkeydown: (event) => writeFrom(event, windows.dialog) },
        h("legend", { class: "small", text: "What is it about?" }),
        Object.entries(app.data.tell_about).map(([id, text]) =>
          h(
            "label",
            {},
            h("input", {
              type: "radio",
              name: "tell-about",
              value: id,
              checked: draft.about === id,
              onchange: () => {
                draft.about = id;
              },
            }),
            ` ${text}`,
          ),
        ),
      ),
      criterionBox(draft, app.criterion()),
      ...textField(
        `told ${unit}`,
        {
          class: "tell-note",
          rows: 4,
          "aria-label": "Your note to the study lead",
          placeholder: "what the study lead should know",
        },
        draft.note,
        (note) => {
          draft.note = note;
        },
      ),
      h("p", { class: "small tell-problem", role: "alert" }),
      h(
        "p",
        {},
        h("button", { class: "main", onclick: () => this.send() }, "Send ", h("kbd", { text: "Ctrl+Enter" })),
        " ",
        h("button", {
          class: "quiet",
          onclick: () => windows.close(),
          text: "Close (Esc); your text stays",
        }),
      ),
    );
    const input = windows.dialog.querySelector("input:checked") || windows.dialog.querySelector("input");
    if (input instanceof HTMLElement) input.focus();
    return true;
  }

  isOpen() {
    const { windows } = this.app;
    return windows.isOpen() && Boolean(windows.dialog.querySelector(".tell-note"));
  }

  send() {
    const { app, draft } = this;
    if (!draft) return true;
    const { about, note, criterion, unit } = draft;
    if (!about || !note.trim()) {
      const problem = app.windows.dialog.querySelector(".tell-problem");
      if (problem) problem.textContent = about ? "Write a sentence first." : "Choose what it is about first.";
      return true;
    }
    this.draft = null;
    app.windows.close();
    app.outbox.put({ kind: "escalate", unit, criterion, about, note });
    app.paintPad();
    return true;
  }
}

/**
 * Put a letter that is no choice's key into the note.
 * @param {KeyboardEvent} event
 * @param {Element} dialog
 */
function writeFrom(event, dialog) {
  const key = nameOfKey(event);
  const isLetter = key.length === 1 && key !== " ";
  const note = dialog.querySelector(".tell-note");
  if (isLetter && !event.ctrlKey && !event.metaKey && !event.altKey && note instanceof HTMLElement)
    note.focus();
}

/**
 * @param {{ criterion: string | null }} draft
 * @param {PageCriterion | undefined} criterion
 */
function criterionBox(draft, criterion) {
  if (!criterion) return null;
  return h(
    "label",
    { class: "tell" },
    h("input", {
      type: "checkbox",
      checked: draft.criterion === criterion.id,
      onchange: (event) => {
        draft.criterion = event.target.checked ? criterion.id : null;
      },
    }),
    ` only about \u201c${criterion.name}\u201d`,
  );
}

/**
 * Show the notes to the study lead about this unit.
 * @param {Workbench} app
 */
export function toldBox(app) {
  const { told, tell_about, unit } = app.data;
  const savedIds = new Set(told.map((escalation) => escalation.event));
  const waiting = app.outbox.waiting.flatMap((event) =>
    event.kind === "escalate" && event.unit === unit.id && !savedIds.has(event.id) ? [event.about] : [],
  );
  if (!savedIds.size && !waiting.length) return null;
  return h(
    "section",
    { class: "told", key: "told", role: "status" },
    told.map((escalation) =>
      h(
        "p",
        { class: "small" },
        `${escalation.about}: sent to the study lead ${clock(escalation.at).slice(0, 5)}`,
        escalation.answered_at ? [", answered", answerOf(escalation)] : null,
      ),
    ),
    waiting.map((about) =>
      h("p", { class: "small", text: `${tell_about[about]}: not sent yet, waiting in this browser` }),
    ),
  );
}

/** @param {PageEscalation} escalation */
function answerOf({ may_read, answer }) {
  if (!may_read)
    return "; you can read the answer once you have committed your labels here and compared them";
  return answer === null ? " (the text was erased)" : [": ", h("span", { dir: "auto", text: answer })];
}
