// The conversation: turn numbers, clear roles, own scroll, evidence marks, jump to a turn.
import { h } from "../scripts/dom.js";
import { drawParts, emphasisIn } from "./emphasis.js";

/** @import { PageMessage, PagePlan, PageUnit, Span } from "./contract.d.ts" */
/** @import { Workbench } from "./app.js" */
/**
 * A page that shows a conversation: the rating page, or the study lead's pad.
 * @typedef {object} TranscriptHolder
 * @property {{ unit: PageUnit, turn: number }} data
 * @property {HTMLElement} transcript
 * @property {PageMessage[] | null} messages
 * @property {number | null} cursor the message under the keyboard's cursor
 * @property {boolean} transcriptChanged
 * @property {(role: PageMessage["role"]) => string} roleName
 * @property {(index: number) => { start: number, end: number, why: string }[]} evidenceOf
 */

/** @param {TranscriptHolder} app */
export function renderTranscript(app) {
  const { data } = app;
  const pane = app.transcript;
  const key = `${data.unit.id}`;
  if (pane.dataset.unit === key && !app.transcriptChanged) return;
  app.transcriptChanged = false;
  pane.dataset.unit = key;
  app.cursor = null;
  const messages = app.messages;
  if (messages === null) {
    pane.replaceChildren(
      h("p", {
        class: "empty",
        text: "This conversation has no text: it was erased, or only its labels were imported.",
      }),
    );
    return;
  }
  const box = document.createDocumentFragment();
  messages.forEach((message, index) => {
    if (message.role === "system") return; // may reveal the condition; the server doesn't send its words either
    const rated = data.unit.message === index;
    box.append(
      h(
        "article",
        {
          class: `message ${message.role}${rated ? " rated" : ""}`,
          "data-index": index,
          "data-turn": message.turn,
        },
        h(
          "header",
          {},
          h("span", { class: "turn", text: message.turn ? String(message.turn) : "" }),
          h("span", { class: "role", text: app.roleName(message.role) }),
          rated ? h("span", { class: "tag", text: "to rate" }) : null,
          message.tag ? h("span", { class: "tag", text: message.tag }) : null,
        ),
        rated && data.unit.plan ? planBox(data.unit.plan) : null,
        h("div", { class: "text", dir: "auto", "data-text": index }),
      ),
    );
  });
  pane.replaceChildren(box);
  messages.forEach((_, index) => drawText(app, index));
  const asked = data.turn ? pane.querySelectorAll(`[data-turn="${data.turn}"]`) : [];
  asked.forEach((node) => node.classList.add("asked"));
  const rated = data.unit.message === null ? null : pane.querySelector(`[data-index="${data.unit.message}"]`);
  const first = asked[0] ?? rated;
  pane.scrollTop = first instanceof HTMLElement ? first.offsetTop - 24 : 0;
}

/** @param {PagePlan} plan */
function planBox(plan) {
  return h(
    "div",
    { class: "plan" },
    h("p", { class: "small", text: "Declared plan" }),
    h(
      "ul",
      {},
      plan.strategies.map(({ name, description }) =>
        h("li", {}, h("strong", { text: name }), description ? ` – ${description}` : ""),
      ),
    ),
    plan.unknown.length
      ? h("p", { class: "small", text: `Not in the taxonomy, not rated: ${plan.unknown.join(", ")}` })
      : null,
  );
}

/**
 * Draw the text of a message with its evidence marks and emphasis.
 * @param {TranscriptHolder} app
 * @param {number} index
 */
export function drawText(app, index) {
  const node = app.transcript.querySelector(`[data-text="${index}"]`);
  const text = app.messages?.[index].text;
  if (!node || text === undefined) return;
  const shownFrom = startOf(app, index);
  if (!text.trim()) {
    node.replaceChildren(h("em", { class: "small", text: "(empty message)" }));
    return;
  }
  const evidence = app.evidenceOf(index).map(({ start, end, why }) => {
    return { start, end, look: /** @type {const} */ ("mark"), title: `your evidence: ${why}` };
  });
  node.replaceChildren(...drawParts(text, [...emphasisIn(text), ...evidence], shownFrom));
}

/**
 * Return where the reply's text begins: after the declared plan, which has its own box.
 * @param {TranscriptHolder} app
 * @param {number} index
 */
function startOf(app, index) {
  const { message, plan } = app.data.unit;
  return message === index && plan ? plan.response_start : 0;
}

/**
 * Return the selected text, or the whole message under the cursor; null for neither.
 * @param {Workbench} app
 * @returns {Span | null}
 */
export function selectedSpan(app) {
  const messages = app.messages ?? [];
  const { selection, range } = selectionIn(/** @type {ShadowRoot} */ (app.root.getRootNode()));
  if (selection && range && !range.collapsed) {
    const from = textBox(range.startContainer),
      to = textBox(range.endContainer);
    if (from) {
      const index = Number(from.dataset.text);
      const base = startOf(app, index);
      const start = base + offsetIn(from, range.startContainer, range.startOffset);
      const end =
        from === to
          ? base + offsetIn(from, range.endContainer, range.endOffset)
          : messages[index].text.length;
      selection.removeAllRanges();
      if (end > start) return { message: index, start, end };
    }
  }
  if (app.cursor === null) return null;
  return { message: app.cursor, start: startOf(app, app.cursor), end: messages[app.cursor].text.length };
}

/**
 * Return the selection inside the component: from its shadow root in Chromium, from the document in other browsers.
 * @param {ShadowRoot & { getSelection?: () => Selection | null }} root
 */
function selectionIn(root) {
  const selection = root.getSelection ? root.getSelection() : document.getSelection();
  /** @type {AbstractRange | null} */
  let range = selection && selection.rangeCount ? selection.getRangeAt(0) : null;
  if (selection && selection.getComposedRanges && !root.getSelection) {
    range = selection.getComposedRanges({ shadowRoots: [root] })[0];
  }
  return { selection, range };
}

/**
 * The text of a message that a place lies in.
 * @param {Node} node
 * @returns {HTMLElement | null}
 */
function textBox(node) {
  const inside = node.parentElement?.closest("[data-text]");
  const box = inside || (node instanceof Element ? node.closest("[data-text]") : null);
  return /** @type {HTMLElement | null} */ (box);
}

/**
 * @param {Node} box
 * @param {Node} node
 * @param {number} offset
 */
function offsetIn(box, node, offset) {
  const measure = document.createRange();
  measure.selectNodeContents(box);
  measure.setEnd(node, offset);
  return measure.toString().length;
}

/**
 * Whether there is such a turn.
 * @param {TranscriptHolder} app
 * @param {number} turn
 */
export function jumpToTurn(app, turn) {
  const target = app.transcript.querySelector(`[data-turn="${turn}"]`);
  if (target instanceof HTMLElement) moveCursor(app, Number(target.dataset.index));
  return Boolean(target);
}

/**
 * The message cursor is the keyboard's way to point: [ and ] move it, E takes the message as evidence.
 * @param {TranscriptHolder} app
 * @param {number} index
 */
export function moveCursor(app, index) {
  if (!app.messages || !app.messages.length) return;
  app.cursor = Math.max(0, Math.min(index, app.messages.length - 1));
  for (const node of app.transcript.querySelectorAll(".cursor")) node.classList.remove("cursor");
  const node = app.transcript.querySelector(`[data-index="${app.cursor}"]`);
  if (!(node instanceof HTMLElement)) return;
  node.classList.add("cursor");
  const top = node.offsetTop;
  const visible =
    top >= app.transcript.scrollTop &&
    top + node.offsetHeight <= app.transcript.scrollTop + app.transcript.clientHeight;
  if (!visible) app.transcript.scrollTop = Math.max(0, top - 24);
}

/**
 * @param {readonly [string, string]} roles
 * @param {PageMessage["role"]} role
 */
export function speakerName([user, assistant], role) {
  return role === "user" ? user : role === "assistant" ? assistant : "Instructions to the assistant";
}
