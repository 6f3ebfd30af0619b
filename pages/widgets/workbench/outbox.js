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
// Where somebody went is not kept, only what they said.
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
 * What an event is about: of what somebody says of the same thing only the last counts.
 * @param {{ kind: string, unit?: number, criterion?: string | null, judge?: number | null }} event
 */
function subjectOf({ kind, unit, criterion, judge }) {
  return JSON.stringify([kind, unit, criterion, judge]);
}

/**
 * What the page showed before the first of several answers to the same, of which only the last one is sent.
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
   * @param {(cameIn?: boolean) => void} changed is told when there is more or less to save; `cameIn`: of what
   * another page left
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
   * What the page before in this tab kept goes on as it was. Of a closed tab every answer and comment goes on
   * as late, in its order and under its id: the server takes it where nothing is saved, or still what the tab
   * showed before, which may be an answer of the tab's own that is only being saved. So does what was told the
   * study lead. Nothing is committed or changed by a tab that nobody looks at any more: that stays where it
   * is, in case the tab is opened again. Returns what stays.
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

  // Whether it is in the browser's storage.
  keep() {
    return this.storage.write(this.waiting.filter((event) => KEPT.has(event.kind)));
  }

  /**
   * @param {NewEvent} event
   * @param {boolean} later keeps the event for a moment without sending: typing in a note sends one event,
   * not one a letter
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

  /** @param {boolean} always also where nothing waits */
  flush(always = false) {
    clearTimeout(this.typing);
    this.typingSince = null;
    const last = this.waiting[this.waiting.length - 1];
    if (last?.typing) {
      // from here on its id stands for these words and no others
      last.typing = false;
      this.keep();
    }
    if (this.waiting.length || always) this.send(this.waiting.map(({ typing, ...event }) => event));
    if (this.waiting.length) this.watch();
  }

  /**
   * Since when something waits; null: nothing does. Whoever looks on is told when it has waited for long.
   * @param {number | null} since
   */
  count(since) {
    this.since = since;
    clearTimeout(this.loud);
    if (since !== null) this.loud = setTimeout(() => this.changed(), LOUD_AFTER + 20);
  }

  // An answer that does not come (server gone, message lost) is asked for again.
  watch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.waiting.some((event) => !event.typing)) this.flush();
      this.changed();
    }, RETRY_AFTER);
  }

  /**
   * What the server says of earlier events. Returns the messages about events that it refused.
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
    // After a run of the whole page the workbench asks at once, even for nothing. Streamlit runs a page again
    // whose server restarted only if a part of it had asked last; otherwise whatever is sent later finds
    // nobody.
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
        text: `NOT SAVED YET: the server does not answer. ${words(this.waiting.length, "entry waits", "entries wait")} in this browser; keep it open.`,
        bad: true,
      };
    }
    if (this.waiting.length) return { text: "saving ..." };
    return { text: this.savedAt ? `saved ${clock(this.savedAt)}` : "" };
  }
}
