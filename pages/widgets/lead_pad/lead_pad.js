// A conversation next to its criteria, for a study lead. Labels stay here until one press sends them all.
import { askedCriteria } from "../workbench/asked.js";
import { elementIn, fitToWindow } from "../scripts/dom.js";
import { LastClick } from "../scripts/last_click.js";
import { moveCursor, renderTranscript, speakerName } from "../workbench/transcript.js";
import { Entries } from "./entries.js";
import { drawFoot, drawRows } from "./label_rows.js";
import { onPadKey } from "./pad_keys.js";

/** @import { LabelSource, LeadPadData, PageCriterion, PageMessage } from "./contract.d.ts" */
/**
 * What Streamlit calls the component with.
 * @typedef {object} Component
 * @property {LeadPadData} data
 * @property {ParentNode} parentElement
 * @property {(name: "save", value: { id: string, labels: Record<string, string>, expert: string, reason: string })
 *   => void} setTriggerValue
 */

const entries = new Entries();

export class LeadPad {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.transcript = elementIn(root, ".transcript");
    this.rows = elementIn(root, ".rows");
    this.foot = elementIn(root, "footer");
    /** @type {Component} */
    this.component = /** @type {any} */ (null);
    /** @type {PageMessage[] | null} */
    this.messages = null;
    /** @type {number | null} */
    this.cursor = null;
    this.transcriptChanged = false;
    this.focus = 0;
    this.info = false;
    this.key = "";
    this.sourcesTaken = 0;
    this.sent = ""; // the id of the labels that wait for the server's answer
    this.sentEntry = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.advance = undefined; // runs between a label and the next criterion
    this.listeners = new AbortController();
    const options = { signal: this.listeners.signal };
    document.addEventListener("keydown", (event) => onPadKey(this, event), options);
    const lastClick = new LastClick();
    root.addEventListener(
      "click",
      (event) => {
        if (lastClick.drop(event)) this.tell("A double click is taken as one click.", false);
      },
      { ...options, capture: true },
    );
    window.addEventListener("resize", () => fitToWindow(this.root), options);
  }

  stop() {
    clearTimeout(this.advance);
    this.listeners.abort();
  }

  /** @param {Component} component */
  receive(component) {
    const { data } = (this.component = component);
    this.messages = data.transcript;
    if (this.key !== data.key) {
      this.key = data.key;
      this.focus = 0;
      this.sent = "";
      this.transcriptChanged = true;
      entries.open(data);
    }
    const { receipt } = data;
    if (receipt && receipt.id === this.sent) {
      this.sent = "";
      if (!receipt.trouble) entries.noteKept(this.key, this.sentEntry);
      this.tell(receipt.words, receipt.trouble);
    }
    elementIn(this.root, ".title").textContent = data.title;
    const back = elementIn(this.root, ".back");
    back.hidden = !data.back;
    if (data.back) {
      back.setAttribute("href", data.back[0]);
      back.textContent = data.back[1];
    }
    this.paint();
    fitToWindow(this.root);
  }

  get data() {
    return { ...this.component.data, turn: 0 };
  }

  get entry() {
    return entries.find(this.key);
  }

  /** The criteria that are asked after the labels so far. */
  get criteria() {
    const form = this.component.data.criteria;
    const asked = askedCriteria(form, (id) => this.labelOf(id));
    return form.filter(({ id }) => asked.has(id));
  }

  get criterion() {
    return /** @type {PageCriterion | undefined} */ (this.criteria[this.focus]);
  }

  /** @param {string} id */
  labelOf(id) {
    const forced = this.component.data.criteria.find((criterion) => criterion.id === id)?.forced ?? null;
    return forced ?? this.entry.labels[id] ?? null;
  }

  paint() {
    renderTranscript(this);
    this.focus = Math.max(0, Math.min(this.focus, this.criteria.length - 1));
    drawRows(this);
    drawFoot(this);
  }

  /** @param {number} index */
  setFocus(index) {
    clearTimeout(this.advance);
    this.focus = index;
    this.paint();
  }

  /**
   * @param {PageCriterion} criterion
   * @param {string | null} label null: no gold label
   */
  setLabel(criterion, label) {
    if (criterion.forced !== null) return;
    if (label === null && this.component.data.labels[criterion.id]) {
      this.tell("You can change a saved expert's label, but not remove it.", true);
      return;
    }
    if (label === null) delete this.entry.labels[criterion.id];
    else this.entry.labels[criterion.id] = label;
    this.tell("", false);
    this.paint();
    clearTimeout(this.advance);
    if (label !== null) this.advance = setTimeout(() => this.moveOn(), 260);
  }

  /** To the next criterion without a label; at the end stay. */
  moveOn() {
    const { criteria } = this;
    const next = criteria.findIndex(({ id }, index) => index > this.focus && this.labelOf(id) === null);
    if (next >= 0) this.setFocus(next);
  }

  /** @param {LabelSource} source */
  takeOver(source) {
    Object.assign(this.entry, { labels: { ...source.labels }, expert: source.name });
    this.sourcesTaken += 1;
    this.paint();
  }

  /** @param {number} step */
  moveMessage(step) {
    moveCursor(this, (this.cursor ?? (step > 0 ? -1 : 1)) + step);
  }

  /** The labels of questions that are asked. */
  chosenLabels() {
    const { labels } = this.entry;
    const asked = this.criteria.filter(({ id, forced }) => forced === null && labels[id]);
    return Object.fromEntries(asked.map(({ id }) => [id, labels[id]]));
  }

  save() {
    if (!this.component.data.saves || this.sent) return;
    this.sent = crypto.randomUUID?.() ?? `${Date.now()} ${Math.random()}`;
    const { expert, reason } = this.entry;
    this.sentEntry = JSON.stringify(this.entry);
    this.tell("saving ...", false);
    this.component.setTriggerValue("save", { id: this.sent, labels: this.chosenLabels(), expert, reason });
  }

  /**
   * @param {string} words
   * @param {boolean} trouble
   */
  tell(words, trouble) {
    elementIn(this.root, ".saved").textContent = trouble ? "" : words;
    const line = elementIn(this.root, ".message-line");
    line.textContent = trouble ? words : "";
    line.hidden = !trouble;
  }

  /** @param {PageMessage["role"]} role */
  roleName(role) {
    return speakerName(this.component.data.roles, role);
  }

  /** @returns {{ start: number, end: number, why: string }[]} */
  evidenceOf() {
    return [];
  }
}
