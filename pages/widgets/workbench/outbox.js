// Everything a person does becomes an event with an id of its own. Events wait here, and in the browser's
// storage, until the server says that they are in the database; a restart of the server, a reload or a closed
// tab loses none.
const RETRY_AFTER = 2500;
const LOUD_AFTER = 4000;
const TYPING_PAUSE = 700, TYPING_AT_MOST = 3000;
// Where somebody went is not kept, only what they said.
const KEPT = new Set(["draft", "commit", "change", "keep", "reasoning", "comment", "escalate"]);

// One name a tab, the same after a reload.
function tabName() {
  try {
    const known = sessionStorage.getItem("second-reader-tab") || crypto.randomUUID();
    sessionStorage.setItem("second-reader-tab", known);
    return known;
  } catch { return crypto.randomUUID(); }
}

class Outbox {
  // `owner` names the store and the rater, so that nothing is ever sent to another database or as somebody
  // else. `send` takes the waiting events to the server, `changed` is told when there is more or less to
  // save.
  constructor(owner, send, changed) {
    this.send = send;
    this.changed = changed;
    this.prefix = `second-reader-outbox-${owner}-`;
    this.name = this.prefix + tabName();
    this.since = null;
    this.hold();
    this.waiting = this.restore();
    this.session = null;
    this.savedAt = null;
    this.trouble = null;
    this.timer = null;
  }

  restore() {
    try { return (JSON.parse(localStorage.getItem(this.name)) || []).map((event) => ({ ...event, typing: false })); } catch { return []; }
  }

  // A lock says that this tab lives; what a tab without one left behind is taken over.
  hold() {
    if (!navigator.locks) return;
    navigator.locks.request(this.name, () => new Promise(() => {}));
    try {
      for (const name of Object.keys(localStorage).filter((key) => key.startsWith(this.prefix) && key !== this.name)) {
        navigator.locks.request(name, { ifAvailable: true }, (lock) => { if (lock) this.adopt(name); });
      }
    } catch { /* private mode: there is nothing to take over */ }
  }

  // Of a closed tab only the last answer to each criterion and the last comment on each reasoning, and as
  // late: the server takes them where nothing newer is saved. Nothing is committed or changed by a tab that
  // nobody looks at any more. What was told the study lead is sent.
  adopt(name) {
    const last = new Map();
    for (const event of JSON.parse(localStorage.getItem(name)) || []) {
      if (event.kind === "draft") last.set(`${event.unit}/${event.criterion}`, { ...event, typing: false, late: true });
      if (event.kind === "comment") {
        last.set(`${event.unit}/${event.criterion}/${event.judge}`, { ...event, typing: false, late: true });
      }
      if (event.kind === "escalate") last.set(event.id, { ...event, typing: false });
    }
    this.waiting = [...last.values(), ...this.waiting];
    if (this.waiting.length && this.since === null) this.since = Date.now();
    this.keep();
    localStorage.removeItem(name);
    this.changed(true);
    this.flush();
  }

  keep() {
    const kept = this.waiting.filter((event) => KEPT.has(event.kind));
    try {
      if (kept.length) localStorage.setItem(this.name, JSON.stringify(kept));
      else localStorage.removeItem(this.name);
    } catch { /* private mode: memory only */ }
  }

  // `later` keeps the event for a moment without sending: typing in a note sends one event, not one a letter.
  put(event, later = false) {
    const last = this.waiting[this.waiting.length - 1];
    const about = ({ kind, unit, criterion, judge }) => JSON.stringify([kind, unit, criterion, judge]);
    if (last && last.typing && about(last) === about(event)) {
      Object.assign(last, event, { id: last.id, typing: later });
    } else {
      if (last) last.typing = false;
      this.waiting.push({ ...event, id: crypto.randomUUID(), typing: later });
    }
    if (this.since === null) this.since = Date.now();
    this.keep();
    this.changed();
    clearTimeout(this.typing);
    this.typingSince ??= Date.now();
    if (later && Date.now() - this.typingSince < TYPING_AT_MOST) this.typing = setTimeout(() => this.flush(), TYPING_PAUSE);
    else this.flush();
  }

  flush() {
    clearTimeout(this.typing);
    this.typingSince = null;
    const last = this.waiting[this.waiting.length - 1];
    if (last) last.typing = false;
    if (this.waiting.length) {
      this.send(this.waiting.map(({ typing, ...event }) => event));
      this.watch();
    }
  }

  // An answer that does not come (server gone, message lost) is asked for again.
  watch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.waiting.some((event) => !event.typing)) this.flush();
      this.changed();
    }, RETRY_AFTER);
  }

  // What the server says of earlier events. Returns the messages about events that it refused.
  settle(data) {
    const done = new Set([...data.acked, ...data.refused.map((item) => item.id)]);
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((event) => !done.has(event.id));
    if (data.acked.length) this.savedAt = data.now;
    this.trouble = data.trouble;
    if (before !== this.waiting.length) { this.since = this.waiting.length ? Date.now() : null; this.keep(); }
    const restarted = this.session !== null && this.session !== data.session;
    const first = this.session === null;
    this.session = data.session;
    if (!this.waiting.length) clearTimeout(this.timer);
    else if (restarted || first) this.flush();
    else this.watch();
    return data.refused.filter((item) => item.message);
  }

  unanswered() { return this.waiting.length > 0 && Date.now() - this.since > LOUD_AFTER; }

  status() {
    if (this.trouble) return { text: "NOT SAVED: " + this.trouble, bad: true };
    if (this.unanswered()) {
      return { text: `NOT SAVED YET: the server does not answer. ${words(this.waiting.length, "entry waits", "entries wait")} in this browser; keep it open.`, bad: true };
    }
    if (this.waiting.length) return { text: "saving ..." };
    return { text: this.savedAt ? `saved ${clock(this.savedAt)}` : "" };
  }
}
