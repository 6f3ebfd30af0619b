// The keyboard. No label key is also a navigation key; none works while typing; C and R stay the browser's.
import { isTyping } from "../scripts/dom.js";
import { nameOfKey } from "../scripts/key_names.js";
import { moveCursor } from "./transcript.js";

/** @import { Workbench } from "./app.js" */

// Grouped by task, the most used first.
/** @type {{ group: string, keys: [string, string][] }[]} */
export const KEY_GROUPS = [
  {
    group: "Rate",
    keys: [
      ["label's own key", "set it and move on"],
      ["↑ ↓", "criterion; on the metrics, scroll"],
      ["Backspace", "undo"],
      ["D", "also defensible: then a label's key"],
      ["F", "how sure you are"],
      ["X", "cannot rate, because ..."],
      ["I", "what each label means, examples of failure"],
    ],
  },
  {
    group: "Note and evidence",
    keys: [
      ["E", "make the selected words (or the message) evidence"],
      ["O", "note; after S, P, U or T, a comment on the reasoning"],
      ["E, O, F after a label", "for the criterion just labelled"],
    ],
  },
  {
    group: "Your list",
    keys: [
      ["Ctrl+Enter", "commit your labels"],
      ["J  K", "next, previous in your list"],
      ["Q", "skip this one for now"],
      ["H", "tell the study lead: danger, a name, a question"],
    ],
  },
  {
    group: "Conversation",
    keys: [
      ["[  ]", "previous, next message"],
      ["Page Up, Page Down", "scroll"],
      ["M", "go to turn ..."],
      ["W", "metrics of this conversation, and back"],
    ],
  },
  {
    group: "Next to the judge",
    keys: [
      ["Enter", "keep your label, next difference; after the last, next in your list"],
      ["G", "change your label, with a reason"],
      ["S  P  U  T", "its reasoning is supported, partly, unsupported, contradicted"],
      ["L", "go to the turns that the judge cites"],
      ["← →", "other judge"],
      ["V", "judges side by side or one at a time"],
    ],
  },
  {
    group: "Anywhere",
    keys: [
      ["Esc", "close what is open"],
      ["?", "these keys"],
    ],
  },
];

const WITH_METRICS = new Set(["w", "h", "j", "k", "q", "m", "[", "]", "?", "PageUp", "PageDown"]);

/**
 * @param {Workbench} app
 * @param {KeyboardEvent} event
 */
export function onKey(app, event) {
  if (!app.data || !app.root.isConnected || event.isComposing) return;
  const ctrl = event.ctrlKey || event.metaKey;
  const target = event.composedPath()[0];
  if (ctrl && event.key === "Enter") {
    event.preventDefault();
    // A commit saves what is on the screen.
    if (app.windows.isOpen()) {
      if (app.leadNote.isOpen()) app.leadNote.send();
      return;
    }
    if (app.metricsOpen) app.toggleMetrics(false);
    if (app.mode === "change") app.comparison.saveChange(app.criterion());
    else app.units.commit(isTyping(event));
    return;
  }
  if (event.key === "Escape") {
    if (app.windows.close()) return;
    if (app.metricsOpen) {
      app.toggleMetrics(false);
      return;
    }
    if (target instanceof HTMLElement && isTyping(event)) target.blur();
    app.answers.setMode(null);
    return;
  }
  if (isTyping(event)) {
    if (app.lastPress.isStillHeld(nameOfKey(event), event.repeat)) event.preventDefault();
    return;
  }
  if (ctrl || event.altKey) return;
  const { host } = /** @type {ShadowRoot} */ (app.root.getRootNode());
  const outside =
    target instanceof HTMLElement &&
    target !== document.body &&
    !app.root.contains(target) &&
    target !== host;
  if (outside && ["Enter", " ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].includes(nameOfKey(event)))
    return;
  const onButton = target instanceof HTMLButtonElement;
  if (onButton && (event.key === " " || (event.key === "Enter" && !app.focusIsRow(target)))) return;
  if (app.windows.isOpen()) return;
  if (handle(app, event)) event.preventDefault();
}

/**
 * Ignore a key that is held down or repeats faster than anybody reads: it would answer an unread question.
 * @param {Workbench} app
 * @param {KeyboardEvent} event
 * @param {string} key
 * @param {boolean} comesAgain
 */
function isMeant(app, event, key, comesAgain) {
  if (event.repeat) return false;
  const works = key !== "Enter" || app.data.committed_at !== null;
  if (comesAgain && works)
    app.say(`${key === "Enter" ? key : key.toUpperCase()} was pressed twice and is taken once.`);
  return !comesAgain;
}

/**
 * Whether the key is one of the workbench's.
 * @param {Workbench} app
 * @param {KeyboardEvent} event
 */
function handle(app, event) {
  const { answers, comparison, leadNote, notes, units, windows } = app;
  const key = nameOfKey(event);
  const isLabel = app.data.criteria.some((criterion) => criterion.levels.some((item) => item.key === key));
  const beginsAnswer = isLabel && !app.mode;
  const asked = beginsAnswer ? answers.criterionMeant() : app.criterion();
  const question = `${app.data.unit.id} ${asked?.id}`;
  const comesAgain = app.lastPress.comesAgain(key, event.timeStamp, question);
  if (app.mode === "cannot" && /^[1-9]$/.test(key)) return answers.pickCannotNumber(Number(key));
  if (app.metricsOpen && !WITH_METRICS.has(key)) {
    if (key === "ArrowDown" || key === "ArrowUp") {
      app.rows.scrollTop += key === "ArrowDown" ? 60 : -60;
      return true;
    }
    if ((key.length === 1 && key !== " ") || key.startsWith("Arrow"))
      app.say("These are the metrics. Press W to go back to rating.");
    return false;
  }
  const isOnce = isLabel || key === "Enter" || key === "d"; // a second D undoes the first
  if (isOnce && !isMeant(app, event, key, comesAgain)) return true;
  if (beginsAnswer) answers.moveOnNow();
  const level = app.criterion()?.levels.find((item) => item.key === key);
  if (level) return answers.labelKey(level.id);
  switch (key) {
    // From the row that the last label moves on to, at any speed: "y ↑ n" corrects the label y.
    case "ArrowDown":
      answers.moveOnNow();
      return answers.setFocus(app.focus + 1);
    case "ArrowUp":
      answers.moveOnNow();
      return answers.setFocus(app.focus - 1);
    case "ArrowLeft":
      return comparison.setJudge(app.judge - 1);
    case "ArrowRight":
      return comparison.setJudge(app.judge + 1);
    case "Backspace":
      return answers.undo();
    case "Enter":
      return comparison.enter();
    case "PageDown":
      return app.scroll(0.9);
    case "PageUp":
      return app.scroll(-0.9);
    case "[":
      moveCursor(app, (app.cursor ?? 1) - 1);
      return true;
    case "]":
      moveCursor(app, (app.cursor ?? -1) + 1);
      return true;
    case "j":
      return units.step(1);
    case "k":
      return units.step(-1);
    case "q":
      return units.skip();
    case "m":
      return windows.askTurn();
    case "e":
      return notes.takeEvidence();
    case "o":
      return notes.open();
    case "f":
      return answers.nextConfidence();
    case "d":
      return answers.setMode(app.mode === "also" ? null : "also");
    case "x":
      answers.moveOnNow();
      return answers.setMode("cannot");
    case "g":
      return answers.setMode("change");
    case "h":
      return leadNote.open();
    case "i":
      return app.toggleInfo();
    case "l":
      return comparison.nextCited();
    case "v":
      return app.toggleSide();
    case "w":
      return app.toggleMetrics();
    case "?":
      return windows.openKeys();
    default: {
      const entry = Object.entries(app.data.reasoning_words).find(([, word]) => word.key === key);
      return entry ? comparison.reasoningKey(entry[0]) : false;
    }
  }
}
