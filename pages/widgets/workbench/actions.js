// What a person can do: every action changes what is shown at once and puts an event into the outbox.
const ADVANCE_AFTER = 260;

Object.assign(Workbench.prototype, {
  // Where a person goes, notes and evidence go along; where the page goes by itself, they stay with what was
  // labelled.
  setFocus(index) { this.labelled = null; return this.showCriterion(index); },

  showCriterion(index) {
    clearTimeout(this.advance); this.advance = null;
    this.focus = Math.max(0, Math.min(index, this.data.criteria.length - 1));
    this.mode = null; this.judge = 0; this.cited = -1; this.onward = false; this.judged = false;
    renderPad(this);
    return true;
  },

  setAnswer(id, change, { typing = false, undoable = true } = {}) {
    // Between leaving a unit and the next one on the screen, a key cannot be about anything that was read.
    if (this.data.committed_at || this.holdBack()) return false;
    const before = this.answer(id);
    if (undoable && !typing) this.undoStack.push({ id, before });
    const answer = { ...before, ...change };
    this.local.set(id, answer);
    this.outbox.put({ kind: "draft", unit: this.data.unit.id, criterion: id, answer }, typing);
    if (!typing) { this.say(""); renderPad(this); }
    if (change.evidence) this.redrawEvidence(before, answer);
    return true;
  },

  redrawEvidence(before, after) {
    for (const index of new Set([...before.evidence, ...after.evidence].map((span) => span.message))) drawText(this, index);
  },

  labelKey(label) {
    if (this.mode === "change") return this.setChange({ label });
    if (this.data.committed_at) { this.say("This unit is committed. G changes a label, with a reason."); return true; }
    return this.pick(this.criterion(), label);
  },

  pick(criterion, label) {
    if (criterion.forced !== null || !criterion.levels.some((level) => level.id === label)) return true;
    const answer = this.answer(criterion.id);
    if (this.mode === "also") {
      this.mode = null;
      if (label === answer.label) { renderPad(this); return true; }
      const also = answer.also.includes(label) ? answer.also.filter((other) => other !== label) : [...answer.also, label];
      return this.setAnswer(criterion.id, { also });
    }
    this.mode = null;
    this.labelled = criterion.id; this.judged = false;
    this.setAnswer(criterion.id, { label, cannot_rate: null, also: answer.also.filter((other) => other !== label) });
    this.later();
    return true;
  },

  later() {
    clearTimeout(this.advance);
    this.advance = setTimeout(() => { this.advance = null; this.moveOn(); }, ADVANCE_AFTER);
  },

  // A key that begins the next answer does not wait for the pause.
  moveOnNow() {
    if (!this.advance) return;
    clearTimeout(this.advance);
    this.moveOn();
  },

  // To the next criterion without an answer; at the end stay, so that the last choice remains in view.
  moveOn() {
    this.advance = null;
    const list = this.data.criteria;
    for (let i = this.focus + 1; i < list.length; i += 1) {
      if (!answered(this, list[i])) { this.showCriterion(i); return; }
    }
    const open = list.findIndex((criterion) => !answered(this, criterion));
    if (open >= 0) this.showCriterion(open);
  },

  undo() {
    const last = this.undoStack.pop();
    if (!last || this.data.committed_at) return true;
    this.setFocus(this.data.criteria.findIndex((criterion) => criterion.id === last.id));
    const { note } = this.answer(last.id);  // words are not undone with a label
    return this.setAnswer(last.id, { ...last.before, note }, { undoable: false }) && (this.redrawAll(), true);
  },

  redrawAll() { this.messages?.forEach((_, index) => drawText(this, index)); },

  pickCannot(criterion, id) {
    this.mode = null;
    this.labelled = criterion.id; this.judged = false;
    this.setAnswer(criterion.id, { label: null, cannot_rate: id, also: [] });
    if (id === "other") return this.openNote();
    this.later();
    return true;
  },

  pickCannotNumber(number) {
    const id = Object.keys(this.data.cannot_rate)[number - 1];
    return id ? this.pickCannot(this.criterion(), id) : true;
  },

  nextConfidence() {
    const now = this.answer(this.criterion().id).confidence;
    return this.setAnswer(this.criterion().id, { confidence: now === 3 ? null : (now || 0) + 1 });
  },

  setMode(mode) {
    if (mode === "change") {
      const mine = this.data.committed_at ? this.data.ratings[this.criterion().id] : null;
      if (!mine || mine.source === "rule") return true;
      const first = judgementsOf(this, this.criterion())[this.judge];
      this.change = { label: null, reason: "", judge: first ? first.judge.id : null };
    } else if (mode && (this.data.committed_at || this.criterion().forced !== null)) return true;
    clearTimeout(this.advance); this.advance = null;
    this.mode = mode;
    renderPad(this);
    return true;
  },

  setChange(change) {
    Object.assign(this.change, change);
    renderPad(this);
    this.pad.querySelector(".focus .reason")?.focus();
    return true;
  },

  changeReady() {
    return this.change.label !== null && this.change.reason.trim() && this.change.label !== this.data.ratings[this.criterion().id]?.label;
  },

  refreshChangeButton() { this.pad.querySelector(".save-change").disabled = !this.changeReady(); },

  saveChange(criterion) {
    if (!this.changeReady()) { this.say("A change needs another label and a reason."); return true; }
    const { label, reason, judge } = this.change;
    this.mode = null;
    this.say("");
    this.outbox.put({ kind: "change", unit: this.data.unit.id, criterion: criterion.id, label, reason, judge });
    this.pad.querySelector(".focus .reason")?.blur();
    return true;
  },

  keep(criterion) {
    const all = judgementsOf(this, criterion);
    const visible = this.sideBySide ? all : all.slice(this.judge, this.judge + 1);
    const decided = (one) => this.data.responses[`${one.judge.id}/${criterion.id}`]?.decision;
    const ids = visible.filter((one) => one.status !== "missing" && decided(one) !== "change").map((one) => one.judge.id);
    if (ids.length) this.outbox.put({ kind: "keep", unit: this.data.unit.id, criterion: criterion.id, judges: ids });
    if (!this.sideBySide && this.judge + 1 < all.length) return this.setJudge(this.judge + 1);
    if (this.focus + 1 < this.data.criteria.length) return this.setFocus(this.focus + 1);
    this.say(this.data.next ? `All compared. J: ${this.data.next_label}.` : "All compared.");
    return true;
  },

  enter() { return this.data.reveal && this.mode === null ? this.keep(this.criterion()) : false; },

  judgeReasoning(criterion, judge, value) {
    this.outbox.put({ kind: "reasoning", unit: this.data.unit.id, criterion: criterion.id, judge, value });
    this.respond(criterion.id, judge, { reasoning: value });
    this.judged = true;
    this.judge = Math.max(0, judgementsOf(this, criterion).findIndex((one) => one.judge.id === judge));
    this.say("");
    renderPad(this);
    return true;
  },

  reasoningKey(value) {
    const one = this.data.reveal ? judgementsOf(this, this.criterion())[this.judge] : null;
    return one && one.status === "ok" && one.reasoning ? this.judgeReasoning(this.criterion(), one.judge.id, value) : false;
  },

  setJudge(number) {
    const count = this.data.reveal ? this.data.reveal.judges.length : 0;
    if (!count) return false;
    this.judge = (number + count) % count; this.cited = -1; this.judged = false;
    renderPad(this);
    return true;
  },

  toggleSide() { this.sideBySide = !this.sideBySide; renderPad(this); return true; },
  toggleInfo() { this.info = !this.info; renderPad(this); return true; },

  scroll(share) {
    const pane = this.metricsOpen ? this.pad.querySelector(".rows") : this.transcript;
    pane.scrollTop += pane.clientHeight * share;
    return true;
  },

  toggleMetrics(open = !this.metricsOpen) {
    if (!this.data.metrics) { this.say("There are no metrics for this one."); return true; }
    clearTimeout(this.advance); this.advance = null;
    this.metricsOpen = open; this.mode = null;
    this.say("");
    renderPad(this);
    this.pad.querySelector(".rows").scrollTop = 0;
    return true;
  },

  nextCited() {
    const cited = this.data.reveal ? judgementsOf(this, this.criterion())[this.judge]?.cited || [] : [];
    if (!cited.length) return true;
    this.cited = (this.cited + 1) % cited.length;
    if (!jumpToTurn(this, cited[this.cited])) this.say(`The judge cites turn ${cited[this.cited]}, which this conversation does not have.`);
    return true;
  },

  commit(writing = false) {
    if (this.data.committed_at) return true;
    const open = this.data.criteria.findIndex((criterion) => !answered(this, criterion));
    if (open >= 0) {
      if (!writing) this.setFocus(open);  // whoever is in mid-sentence goes on writing there, not pressing keys
      this.say(`${words(this.data.criteria.filter((c) => !answered(this, c)).length, "criterion is", "criteria are")} still to rate.`);
      return true;
    }
    clearTimeout(this.advance); this.advance = null;
    this.root.getRootNode().activeElement?.blur();
    if (this.holdBack()) return true;
    // What was on the screen goes along: the server commits that and nothing else.
    const shown = this.data.criteria.filter((criterion) => criterion.forced === null).map((criterion) => {
      const answer = this.answer(criterion.id);
      return [criterion.id, answer.label ?? answer.cannot_rate];
    });
    this.outbox.put({ kind: "commit", unit: this.data.unit.id, shown: Object.fromEntries(shown) });
    return true;
  },

  go(position) { if (!this.holdBack()) this.outbox.put({ kind: "go", position }); return true; },
  // Only once everything is saved, so that no word of this person stays in the browser.
  leave() {
    this.wantsToLeave = this.outbox.waiting.length > 0;
    if (this.wantsToLeave) this.say("First what waits is saved, then the name can be changed.");
    else this.outbox.put({ kind: "leave" });
    return true;
  },
  step(by) {
    if (by > 0 && this.data.committed_at && this.data.next) return this.go(this.data.next);
    if (this.holdBack()) return true;
    const wanted = this.data.unit.position + by;
    return wanted < 1 || wanted > this.data.progress.length ? true : this.go(wanted);
  },
  skip() {
    if (this.data.committed_at || this.holdBack()) return true;
    this.outbox.put({ kind: "skip", unit: this.data.unit.id });
    return true;
  },

  // ---- small windows ----
  sheetOpen() { return this.root.querySelector("dialog").open; },
  closeSheet() {
    const dialog = this.root.querySelector("dialog"), was = dialog.open;
    dialog.close();
    // A closed window keeps the focus until the browser paints again; the next key would be taken for typing
    // in it.
    const focused = dialog.getRootNode().activeElement;
    if (was && dialog.contains(focused)) focused.blur();
    return was;
  },

  openSheet() {
    const dialog = this.root.querySelector("dialog");
    const labels = this.criterion().levels.map((level) => `${level.key.toUpperCase()} ${level.name}`).join(",  ");
    dialog.replaceChildren(h("h2", { text: "Keys" }), h("p", { class: "small", text: `Labels here: ${labels}` }),
      h("dl", {}, SHEET.map(([keys, what]) => [h("dt", {}, h("kbd", { text: keys })), h("dd", { text: what })])),
      h("button", { class: "main", onclick: () => this.closeSheet(), text: "Close (Esc)" }));
    dialog.showModal();
    dialog.scrollTop = 0;  // the browser shows the button that got the focus, which is the last thing in it
    return true;
  },

  askTurn() {
    const dialog = this.root.querySelector("dialog");
    const input = h("input", { type: "number", min: 1, "aria-label": "Turn", onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault(); event.stopPropagation();
      this.closeSheet();
      if (!jumpToTurn(this, Number(input.value))) this.say(`There is no turn ${input.value}.`);
    } });
    dialog.replaceChildren(h("h2", { text: "Go to turn" }), input, h("p", { class: "small", text: "Enter goes there, Esc closes." }));
    dialog.showModal();
    input.focus();
    return true;
  },
});
