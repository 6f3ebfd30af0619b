// Everything a person does becomes an event with an id of its own. Events wait here, and in the browser's
// storage, until the server says that they are in the database; a restart of the server, a reload or a closed
// tab loses none.
import { clock, words } from "../scripts/dom.js";
import { TabStorage } from "./tabs.js";

/** @import { BrowserState, PageData } from "./contract.d.ts" */
/** @typedef {NonNullable<BrowserState["events"]>[number]} RatingEvent */
/**
 * An event before it has an id.
 * @template [Kind=RatingEvent]
 * @typedef {Kind extends RatingEvent ? Omit<Kind, "id"> : never} NewEvent
 */
/**
 * An event that waits. `typing`: words are still added to it, and it was never sent.
 * @typedef {RatingEvent & { typing?: boolean }} WaitingEvent
 */
/** @typedef {ReturnType<typeof setTimeout> | undefined} Timer */

const RETRY_AFTER = 2500;
const LOUD_AFTER = 2000;
const TYPING_PAUSE = 700,
  TYPING_AT_MOST = 3000;
// Moves between units are not kept, only answers.
const KEPT = new Set([
  "draft",
  "commit",
  "change",
  "keep",
  "reasoning",
  "comment",
  "step_pair",
  "step_scores",
  "escalate",
]);

/**
 * Return what an event is about; only the last event about the same thing counts.
 * @param {{ kind: string, unit?: number, criterion?: string | null, judge?: number | null }} event
 */
function subjectOf({ kind, unit, criterion, judge }) {
  return JSON.stringify([kind, unit, criterion, judge]);
}

/**
 * Return what the page showed before the first of several answers to the same question; only the last is sent.
 * @param {RatingEvent | undefined} first
 * @returns {{}}
 */
function shownBefore(first) {
  return first && "before" in first ? { before: first.before } : {};
}

export class Outbox {
  /**
   * @param {string} owner names the store and the rater, so that nothing is ever sent to another database or
   * as somebody else
   * @param {(events: RatingEvent[]) => void} send takes the waiting events to the server
   * @param {(cameIn?: boolean) => void} changed is called when there is more or less to save; `cameIn`: another page's
   * events came in
   * @param {Window} [browser]
   */
  constructor(owner, send, changed, browser = window) {
    this.send = send;
    this.changed = changed;
    /** @type {WaitingEvent[]} */
    this.waiting = [];
    /** @type {number | null} */
    this.since = null;
    /** @type {string | null} */
    this.session = null;
    /** @type {string | null} */
    this.savedAt = null;
    /** @type {string | null} */
    this.trouble = null;
    /** @type {Timer} */
    this.timer = undefined;
    /** @type {Timer} */
    this.typing = undefined;
    /** @type {Timer} */
    this.loud = undefined;
    /** @type {number | null} */
    this.typingSince = null;
    this.storage = new TabStorage(
      `second-reader-outbox-${owner}-`,
      (events, closed) => this.take(events, closed),
      browser,
    );
    this.storage.begin();
  }

  /**
   * Take over events. Those of this tab's previous page go on unchanged. From a closed tab, answers, comments and
   * notes to the study lead go on in order, under their ids: answers and comments are marked late, and the server
   * takes them only if nothing is saved there, or still what the tab showed before. Commits and changes stay, in case
   * the tab opens again, because nobody looks at it. Returns what stays.
   * @param {WaitingEvent[]} events
   * @param {boolean} closed
   * @returns {WaitingEvent[]}
   */
  take(events, closed) {
    const ids = new Set(this.waiting.map(({ id }) => id));
    /** @type {RatingEvent[]} */
    const entries = [];
    /** @type {RatingEvent[]} */
    const rest = [];
    for (const { typing, ...event } of events.filter(({ id }) => !ids.has(id))) {
      const id = typing ? crypto.randomUUID() : event.id; // never sent, and perhaps not written to the end
      if (!closed || event.kind === "escalate") entries.push({ ...event, id });
      else if (event.kind === "draft" || event.kind === "comment") entries.push({ ...event, id, late: true });
      else rest.push(event);
    }
    this.waiting = [...entries, ...this.waiting];
    if (this.waiting.length && this.since === null) this.count(Date.now());
    const isStored = this.keep();
    this.changed(true);
    this.flush();
    return isStored ? rest : events;
  }

  // Whether the events are in the browser's storage.
  keep() {
    return this.storage.write(this.waiting.filter((event) => KEPT.has(event.kind)));
  }

  /**
   * @param {NewEvent} event
   * @param {boolean} later waits a moment before sending: typing a note sends one event, not one per letter
   */
  put(event, later = false) {
    const last = this.waiting[this.waiting.length - 1];
    if (last && last.typing && subjectOf(last) === subjectOf(event)) {
      Object.assign(last, event, shownBefore(last), { id: last.id, typing: later });
    } else {
      if (last) last.typing = false;
      this.waiting.push({ ...event, id: crypto.randomUUID(), typing: later });
    }
    if (this.since === null) this.count(Date.now());
    this.keep();
    this.changed();
    clearTimeout(this.typing);
    this.typingSince ??= Date.now();
    if (later && Date.now() - this.typingSince < TYPING_AT_MOST)
      this.typing = setTimeout(() => this.flush(), TYPING_PAUSE);
    else this.flush();
  }

  /** @param {boolean} always send even if nothing waits */
  flush(always = false) {
    clearTimeout(this.typing);
    this.typingSince = null;
    const last = this.waiting[this.waiting.length - 1];
    if (last?.typing) {
      // from now on its id belongs to these words only
      last.typing = false;
      this.keep();
    }
    if (this.waiting.length || always) this.send(this.waiting.map(({ typing, ...event }) => event));
    if (this.waiting.length) this.watch();
  }

  /**
   * Set since when something waits; null: nothing does. After a long wait the page shows it.
   * @param {number | null} since
   */
  count(since) {
    this.since = since;
    clearTimeout(this.loud);
    if (since !== null) this.loud = setTimeout(() => this.changed(), LOUD_AFTER + 20);
  }

  // Ask again if no answer comes (server gone, message lost).
  watch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.waiting.some((event) => !event.typing)) this.flush();
      this.changed();
    }, RETRY_AFTER);
  }

  /**
   * Take the server's results for earlier events. Returns the messages about refused ones.
   * @param {Pick<PageData, "acked" | "refused" | "trouble" | "now" | "session">} data
   */
  settle(data) {
    const done = new Set([...data.acked, ...data.refused.map((item) => item.id)]);
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((event) => !done.has(event.id));
    if (data.acked.length) this.savedAt = data.now;
    this.trouble = data.trouble;
    if (before !== this.waiting.length) {
      this.count(this.waiting.length ? Date.now() : null);
      this.keep();
    }
    const isNewSession = this.session !== data.session;
    this.session = data.session;
    if (!this.waiting.length) clearTimeout(this.timer);
    // After a full run of the page, the workbench asks at once, even for nothing: after a restart Streamlit reruns a
    // page only if a fragment asked last. Otherwise later events would find no session.
    if (isNewSession) this.flush(true);
    else if (this.waiting.length) this.watch();
    return data.refused.filter((item) => item.message);
  }

  stop() {
    clearTimeout(this.timer);
    clearTimeout(this.typing);
    clearTimeout(this.loud);
    this.storage.stop();
  }

  unanswered() {
    return this.since !== null && this.waiting.length > 0 && Date.now() - this.since > LOUD_AFTER;
  }

  /** @returns {{ text: string, bad?: boolean }} */
  status() {
    if (this.trouble) return { text: "NOT SAVED: " + this.trouble, bad: true };
    if (this.unanswered()) {
      return {
        text: `NOT SAVED YET: the server does not answer. ${words(this.waiting.length, "entry is", "entries are")} waiting in this browser; keep it open.`,
        bad: true,
      };
    }
    if (this.waiting.length) return { text: "saving ..." };
    return { text: this.savedAt ? `saved ${clock(this.savedAt)}` : "" };
  }
}
