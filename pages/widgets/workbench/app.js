// The workbench: holds what the server last said plus what is not yet saved, and paints at once.
const transcripts = new Map();  // by unit, so that a transcript crosses the wire once

const BELOW = 10;  // pixels; the page pads its lower edge with 8

class Workbench {
  constructor(root) {
    this.root = root;
    this.rail = root.querySelector(".rail");
    this.transcript = root.querySelector(".transcript");
    this.pad = root.querySelector(".pad");
    this.focus = 0; this.judge = 0; this.cited = -1;
    this.mode = null; this.info = false; this.sideBySide = false; this.metricsOpen = false; this.bandsShown = false;
    this.undoStack = []; this.local = new Map(); this.change = { label: null, reason: "" };
    this.labelled = null;  // the criterion just labelled, while only the page has moved on from it
    this.onward = false;  // the note was opened right after a label: the next criterion comes after it
    this.judged = false;  // how far the judge's reasoning holds was just said
    this.listeners = new AbortController();
    const options = { signal: this.listeners.signal };
    document.addEventListener("keydown", (event) => onKey(this, event), options);
    this.pad.addEventListener("pointerdown", (event) => this.pressed(event), options);
    // A button that was clicked does not keep the focus: Enter and Space stay the keys of the workbench.
    root.querySelector(".panes").addEventListener("click", (event) => {
      if (event.detail) event.target.closest("button")?.blur();
    }, options);
    window.addEventListener("resize", () => this.fit(), options);
    window.addEventListener("beforeunload", (event) => {
      this.outbox?.flush();
      if (this.outbox?.trouble || this.outbox?.unanswered()) event.preventDefault();
    }, options);
  }

  // ---- what the server said ----
  receive(component) {
    const { data, setStateValue } = component;
    this.setState = setStateValue;
    const owner = `${data.store}-${data.reader.id}`;
    if (!this.outbox || this.owner !== owner) {
      this.owner = owner;
      this.outbox?.stop();
      this.outbox = new Outbox(owner, null, (answers) => {
        if (answers && this.data) this.takeAnswers();
        if (this.data) this.paintSaving();
      });
    }
    this.outbox.send = (events) => setStateValue("events", events);
    if (data.transcript !== undefined) { transcripts.set(data.unit.id, data.transcript); this.transcriptChanged = true; }
    // Until its words are here, the unit on the screen stays the one that keys are about.
    if (!transcripts.has(data.unit.id)) { setStateValue("want", data.unit.id); return; }
    const moved = !this.data || this.data.unit.id !== data.unit.id || Boolean(this.data.committed_at) !== Boolean(data.committed_at);
    this.data = data;
    this.messages = transcripts.get(data.unit.id);
    const refused = this.outbox.settle(data);
    this.merge();
    if (moved) this.arrive();
    if (this.wantsToLeave && !this.outbox.waiting.length) this.leave();
    if (refused.length) this.say(refused[refused.length - 1].message);
    else if (moved || (this.heldBack && !this.leaving())) this.say("");
    if (!this.leaving()) this.heldBack = false;
    this.paint(moved);
  }

  // Answers not yet saved lie over what the server has.
  merge() {
    this.local = new Map();
    for (const event of this.outbox.waiting) {
      if (event.unit !== this.data.unit.id) continue;
      if (event.kind === "draft") this.local.set(event.criterion, event.answer);
      if (event.kind === "reasoning") this.respond(event.criterion, event.judge, { reasoning: event.value });
      if (event.kind === "comment") {
        this.respond(event.criterion, event.judge, { comment: event.text, comment_erased: false });
      }
    }
  }

  arrive() {
    clearTimeout(this.advance);
    this.advance = null;
    this.metricsOpen = false;
    this.mode = null; this.undoStack = []; this.judge = 0; this.cited = -1; this.change = { label: null, reason: "" };
    this.labelled = null; this.onward = false; this.judged = false;
    this.focus = this.beginning = this.whereToBegin();
    this.transcriptChanged = true;
  }

  whereToBegin() {
    const open = this.data.criteria.findIndex((criterion) => !answered(this, criterion));
    const wanted = this.data.focus ? this.data.criteria.findIndex((criterion) => criterion.id === this.data.focus) : -1;
    const differs = this.data.reveal ? this.data.criteria.findIndex((c) => this.data.ratings[c.id]?.source !== "rule" && judgementsOf(this, c).some((one) => one.status !== "ok" || one.label !== this.data.ratings[c.id]?.label)) : -1;
    return wanted >= 0 ? wanted : this.data.committed_at ? Math.max(0, differs) : Math.max(0, open);
  }

  // What another page left came in: whoever has not begun here begins after it.
  takeAnswers() {
    const isUntouched = this.focus === this.beginning && !this.mode && !this.undoStack.length;
    this.merge();
    if (isUntouched) this.focus = this.beginning = this.whereToBegin();
    renderPad(this, false);
  }

  paint(full = false) {
    if (full) this.clear();
    const rail = JSON.stringify([this.data.rail, this.data.progress]);
    if (full || this.railKey !== rail) renderRail(this, full);
    this.railKey = rail;
    renderTranscript(this);
    const inside = this.root.getRootNode().activeElement;
    if (full || !inside || inside.tagName !== "TEXTAREA") renderPad(this, full);
    this.paintHead();
    this.fit();
  }

  // Of another unit, or of one that was just committed, nothing is the same: no field keeps what was written for it.
  clear() { for (const place of [this.rail, this.pad.querySelector(".rows"), this.pad.querySelector("footer")]) place.replaceChildren(); }

  paintHead() {
    const { study } = this.data;
    this.root.querySelector(".title").textContent = study.title;
    this.root.querySelector(".facts").textContent = [study.data_class, this.data.exposure, study.demonstration ? "demonstration" : ""].filter(Boolean).join(" · ");
    const reader = this.root.querySelector(".reader");
    reader.textContent = this.data.reader.name;
    reader.onclick = () => this.leave();
    const status = this.outbox.status();
    const node = this.root.querySelector(".saved");
    if (node.textContent !== status.text) node.textContent = status.text;
    node.classList.toggle("bad", Boolean(status.bad));
  }

  // What stands around the pad while something waits to be saved.
  paintSaving() {
    this.paintHead();
    renderFoot(this);
    const status = this.outbox.status();
    if (this.heldBack && status.bad) this.say(status.text);
  }

  // To the lower edge of the window, less what the page leaves below: nothing around the panes scrolls.
  fit() {
    const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0;
    const top = this.root.getBoundingClientRect().top + window.scrollY + scrolled;
    this.root.style.height = `${Math.max(420, Math.floor(window.innerHeight - top - BELOW))}px`;
  }

  say(text) {
    const node = this.root.querySelector(".message-line");
    node.textContent = text;
    node.hidden = !text;
  }

  respond(criterion, judge, change) {
    const key = `${judge}/${criterion}`;
    this.data.responses[key] = { ...(this.data.responses[key] || {}), ...change };
  }

  // ---- reading the state ----
  criterion() { return this.data.criteria[this.focus]; }
  leaving() { return this.outbox.waiting.some((event) => ["commit", "skip", "go"].includes(event.kind)); }
  // Whether nothing can be done before a commit, or the way to another unit, is saved; said to whoever tries.
  holdBack() {
    if (!this.leaving()) return false;
    this.heldBack = true;
    this.paintSaving();
    return true;
  }
  answer(id) { return this.local.get(id) || this.data.answers[id] || EMPTY; }
  roleName(role) { return role === "user" ? this.data.study.roles[0] : role === "assistant" ? this.data.study.roles[1] : "Instructions to the assistant"; }
  focusIsRow(button) { return Boolean(button.closest(".row")) && !button.closest(".judgement") && !button.closest(".change"); }
  evidenceOf(index) {
    const source = this.data.committed_at ? (id) => this.data.ratings[id] : (id) => this.answer(id);
    return this.data.criteria.flatMap((criterion) => (source(criterion.id)?.evidence || []).map((span) => ({ ...span, why: criterion.name })))
      .filter((span) => span.message === index);
  }

  stop() {
    this.listeners.abort();
    clearTimeout(this.advance);
    this.outbox?.stop();
  }
}
