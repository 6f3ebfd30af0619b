// The workbench: holds the server's last data and unsaved changes, and draws at once.
import { Answers } from "./answers.js";
import { shownCriteria } from "./asked.js";
import { Comparison } from "./comparison.js";
import { elementIn, fitToWindow, focusedBeside } from "../scripts/dom.js";
import { onKey } from "./keys.js";
import { EMPTY, answered, compareWithJudges } from "./labels.js";
import { LastClick } from "../scripts/last_click.js";
import { LastPress } from "./last_press.js";
import { Notes } from "./notes.js";
import { Outbox } from "./outbox.js";
import { renderFoot, renderPad } from "./pad.js";
import { renderRail } from "./rail.js";
import { layOver } from "./step_pairs.js";
import { LeadNote } from "./tell.js";
import { renderTranscript, speakerName } from "./transcript.js";
import { Units, committedBefore } from "./units.js";
import { Windows } from "./windows.js";

/** @import { BrowserState, PageAnswer, PageCriterion, PageData, PageMessage, PageResponse } from "./contract.d.ts" */

/**
 * What the person is about to do with the criterion in focus.
 * @typedef {"also" | "cannot" | "change" | "note" | null} Mode
 */
/**
 * What Streamlit calls the component with.
 * @typedef {object} Component
 * @property {PageData} data
 * @property {ParentNode} parentElement
 * @property {<Name extends keyof BrowserState>(name: Name, value: BrowserState[Name]) => void} setStateValue
 */

/**
 * Transcripts by unit, so that each is sent once.
 * @type {Map<number, PageMessage[] | null>}
 */
const transcripts = new Map();

// Before the server's first data nothing is drawn, and no key works.
const NOTHING_YET = /** @type {any} */ (null);

export class Workbench {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.rail = elementIn(root, ".rail");
    this.transcript = elementIn(root, ".transcript");
    this.pad = elementIn(root, ".pad");
    this.rows = elementIn(this.pad, ".rows");
    this.foot = elementIn(this.pad, "footer");
    this.answers = new Answers(this);
    this.comparison = new Comparison(this);
    this.notes = new Notes(this);
    this.lastClick = new LastClick();
    this.lastPress = new LastPress();
    this.leadNote = new LeadNote(this);
    this.units = new Units(this);
    this.windows = new Windows(this);
    /** @type {PageData} */
    this.data = NOTHING_YET;
    /**
     * All questions; `data.criteria` holds those asked after the answers so far.
     * @type {PageCriterion[]}
     */
    this.form = [];
    /** @type {Outbox} */
    this.outbox = NOTHING_YET;
    /** @type {PageMessage[] | null} */
    this.messages = null;
    /**
     * The message that the keyboard points at.
     * @type {number | null}
     */
    this.cursor = null;
    this.owner = "";
    this.railKey = "";
    this.transcriptChanged = false;
    this.heldBack = false;
    this.focus = 0;
    this.beginning = 0;
    this.judge = 0;
    this.cited = -1;
    /** @type {Mode} */
    this.mode = null;
    this.info = false;
    this.sideBySide = false;
    this.metricsOpen = false;
    this.bandsShown = false;
    /**
     * Answers that are not saved yet, by criterion.
     * @type {Map<string, PageAnswer>}
     */
    this.local = new Map();
    /** @type {string | null} */
    this.labelled = null; // the criterion just labelled, while only the page has moved on from it
    this.onward = false; // the note was opened right after a label: the next criterion comes after it
    this.judged = false; // how far the judge's reasoning holds was just said
    this.listeners = new AbortController();
    const options = { signal: this.listeners.signal };
    document.addEventListener("keydown", (event) => onKey(this, event), options);
    this.pad.addEventListener("mousedown", (event) => this.notes.pressed(event), options);
    elementIn(root, ".panes").addEventListener(
      "click",
      (event) => {
        if (this.lastClick.drop(event)) this.say("A double click is taken as one click.");
      },
      { ...options, capture: true }, // before any button gets it
    );
    // A clicked button loses the focus, so that Enter and Space stay keys of the workbench.
    elementIn(root, ".panes").addEventListener(
      "click",
      (event) => {
        if (event.detail && event.target instanceof Element) event.target.closest("button")?.blur();
      },
      options,
    );
    window.addEventListener("resize", () => this.fit(), options);
    window.addEventListener("popstate", () => this.units.openCriterion(), options);
    // The top bar: "Switch person".
    window.addEventListener(
      "second-reader-leave",
      (event) => {
        if (!this.data) return;
        event.preventDefault();
        this.units.leave();
      },
      options,
    );
    window.addEventListener(
      "beforeunload",
      (event) => {
        this.outbox?.flush();
        if (this.outbox?.trouble || this.outbox?.unanswered()) event.preventDefault();
      },
      options,
    );
  }

  // ---- what the server said ----
  /** @param {Component} component */
  receive(component) {
    const { data, setStateValue } = component;
    const owner = `${data.store}-${data.reader.id}`;
    if (!this.outbox || this.owner !== owner) {
      this.owner = owner;
      this.outbox?.stop();
      this.outbox = new Outbox(
        owner,
        () => {},
        (answersCameIn) => {
          if (answersCameIn && this.data) this.takeAnswers();
          if (this.data) this.paintSaving();
        },
      );
    }
    this.outbox.send = (events) => setStateValue("events", events);
    if (data.transcript !== undefined) {
      transcripts.set(data.unit.id, data.transcript);
      this.transcriptChanged = true;
    }
    // Until its words are here, the unit on the screen stays the one that keys are about.
    if (!transcripts.has(data.unit.id)) {
      setStateValue("want", data.unit.id);
      return;
    }
    const moved =
      !this.data ||
      this.data.unit.id !== data.unit.id ||
      Boolean(this.data.committed_at) !== Boolean(data.committed_at);
    const committed = this.data && committedBefore(this.data, data);
    this.form = data.criteria;
    this.data = { ...data };
    this.messages = transcripts.get(data.unit.id) ?? null;
    const refused = this.outbox.settle(data);
    this.merge();
    if (moved) this.arrive();
    if (this.units.wantsToLeave && !this.outbox.waiting.length) this.units.leave();
    if (refused.length) this.say(refused[refused.length - 1].message);
    else if (committed) this.say(`${committed} is committed; this is ${data.unit.position}.`);
    else if (moved || (this.heldBack && !this.leaving())) this.say("");
    if (!this.leaving()) this.heldBack = false;
    this.paint(moved);
  }

  // Answers not yet saved lie over what the server has.
  merge() {
    this.local = new Map();
    for (const event of this.outbox.waiting) {
      if (!("unit" in event) || event.unit !== this.data.unit.id) continue;
      if (event.kind === "draft") this.local.set(event.criterion, { ...EMPTY, ...event.answer });
      if (event.kind === "keep")
        event.judges.forEach((judge) => this.respond(event.criterion, judge, { decision: "keep" }));
      if (event.kind === "reasoning") this.respond(event.criterion, event.judge, { reasoning: event.value });
      if (event.kind === "comment") {
        this.respond(event.criterion, event.judge, { comment: event.text, comment_erased: false });
      }
      if (event.kind === "step_pair") layOver(this.data.metrics?.step_pairs, event);
    }
    this.chooseCriteria();
  }

  // After every change of an answer: another question may be asked now.
  chooseCriteria() {
    this.data.criteria = shownCriteria(this.form, this.data, (id) => this.answer(id));
    this.focus = Math.max(0, Math.min(this.focus, this.data.criteria.length - 1));
  }

  arrive() {
    this.answers.reset();
    this.comparison.reset();
    this.metricsOpen = false;
    this.mode = null;
    this.judge = 0;
    this.cited = -1;
    this.labelled = null;
    this.onward = false;
    this.judged = false;
    this.focus = this.beginning = this.whereToBegin();
    this.transcriptChanged = true;
  }

  whereToBegin() {
    const { criteria, committed_at, focus } = this.data;
    const wanted = focus ? criteria.findIndex((criterion) => criterion.id === focus) : -1;
    if (wanted >= 0) return wanted;
    if (!committed_at)
      return Math.max(
        0,
        criteria.findIndex((criterion) => !answered(this, criterion)),
      );
    return Math.max(
      0,
      criteria.findIndex((criterion) => compareWithJudges(this, criterion) === "differs"),
    );
  }

  // Another page's answers came in: a person who hasn't started here starts after them.
  takeAnswers() {
    const isUntouched = this.focus === this.beginning && !this.mode && !this.answers.undoStack.length;
    this.merge();
    if (isUntouched) this.focus = this.beginning = this.whereToBegin();
    this.paintPad(false);
  }

  /** @param {boolean} follow bring what the person is at into view */
  paintPad(follow = true) {
    renderPad(this, follow);
  }

  paint(full = false) {
    if (full) this.clear();
    if (full) this.fit(); // needed before the focused row is brought into view
    const rail = JSON.stringify([this.data.rail, this.data.progress]);
    if (full || this.railKey !== rail) renderRail(this, full);
    this.railKey = rail;
    renderTranscript(this);
    if (full || focusedBeside(this.root)?.tagName !== "TEXTAREA") this.paintPad(full);
    this.paintHead();
    this.fit();
  }

  // Another unit, or one that was just committed, shares nothing: no field keeps its text.
  clear() {
    for (const place of [this.rail, this.rows, this.foot]) place.replaceChildren();
  }

  paintHead() {
    const { study } = this.data;
    elementIn(this.root, ".facts").textContent = [
      study.data_class,
      this.data.exposure,
      study.demonstration ? "demonstration" : "",
      this.data.progress.time_left,
    ]
      .filter(Boolean)
      .join(" · ");
    const status = this.outbox.status();
    const node = elementIn(this.root, ".saved");
    if (node.textContent !== status.text) node.textContent = status.text;
    node.classList.toggle("bad", Boolean(status.bad));
  }

  // Redraw what surrounds the pad while something waits to be saved.
  paintSaving() {
    this.paintHead();
    renderFoot(this);
    const status = this.outbox.status();
    if (this.heldBack && status.bad) this.say(status.text);
  }

  // Fit to the lower edge of the window, so that only the panes scroll.
  fit() {
    fitToWindow(this.root);
  }

  /** @param {string} text */
  say(text) {
    const node = elementIn(this.root, ".message-line");
    node.textContent = text;
    node.hidden = !text;
  }

  /**
   * @param {string} criterion
   * @param {number} judge
   * @param {PageResponse} change
   */
  respond(criterion, judge, change) {
    const key = `${judge}/${criterion}`;
    this.data.responses[key] = { ...(this.data.responses[key] || {}), ...change };
  }

  // ---- reading the state ----
  criterion() {
    return this.data.criteria[this.focus];
  }
  leaving() {
    return this.outbox.waiting.some((event) => ["commit", "skip", "go"].includes(event.kind));
  }
  // Tell whether all actions wait until a commit or a move to another unit is saved; if so, say that.
  holdBack() {
    if (!this.leaving()) return false;
    this.heldBack = true;
    this.paintSaving();
    return true;
  }

  /**
   * @param {string} id
   * @returns {PageAnswer}
   */
  answer(id) {
    return this.local.get(id) || this.data.answers[id] || EMPTY;
  }

  /** @param {PageMessage["role"]} role */
  roleName(role) {
    return speakerName(this.data.study.roles, role);
  }

  /** @param {Element} button */
  focusIsRow(button) {
    return Boolean(button.closest(".row")) && !button.closest(".judgement") && !button.closest(".change");
  }

  /**
   * The evidence in one message, with the name of the criterion that it is for.
   * @param {number} index
   */
  evidenceOf(index) {
    const { committed_at, criteria, ratings } = this.data;
    return criteria
      .flatMap(({ id, name }) => {
        const evidence = (committed_at ? ratings[id] : this.answer(id))?.evidence || [];
        return evidence.map((span) => ({ ...span, why: name }));
      })
      .filter((span) => span.message === index);
  }

  // ---- how it is shown ----
  toggleSide() {
    this.sideBySide = !this.sideBySide;
    this.paintPad();
    return true;
  }
  toggleInfo() {
    this.info = !this.info;
    this.paintPad();
    return true;
  }

  /** @param {number} share of what is in view */
  scroll(share) {
    const pane = this.metricsOpen ? this.rows : this.transcript;
    pane.scrollTop += pane.clientHeight * share;
    return true;
  }

  toggleMetrics(open = !this.metricsOpen) {
    if (!this.data.metrics) {
      this.say("This one has no metrics.");
      return true;
    }
    this.answers.stay();
    this.metricsOpen = open;
    this.mode = null;
    this.say("");
    this.paintPad();
    this.rows.scrollTop = 0;
    return true;
  }

  stop() {
    this.listeners.abort();
    this.answers.stay();
    this.outbox?.stop();
  }
}
