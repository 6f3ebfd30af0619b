// A note to the study lead: somebody may be in danger, a name stands here, a question. Before and after the commit.
Object.assign(Workbench.prototype, {
  openTell() {
    clearTimeout(this.advance); this.advance = null;
    if (this.leaving()) return true;
    const unit = this.data.unit.id, criterion = this.criterion();
    if (this.telling?.unit !== unit) this.telling = { unit, about: null, note: "", criterion: null };
    const telling = this.telling;
    const dialog = this.root.querySelector("dialog");
    dialog.replaceChildren(h("h2", { text: "Tell the study lead" }),
      h("p", { class: "small", text: "The study lead reads it; your rating goes on as before." }),
      h("fieldset", { class: "tell" }, h("legend", { class: "small", text: "What it is about" }),
        Object.entries(this.data.tell_about).map(([id, text]) => h("label", {},
          h("input", { type: "radio", name: "tell-about", value: id, checked: telling.about === id, onchange: () => { telling.about = id; } }), ` ${text}`))),
      criterion ? h("label", { class: "tell" }, h("input", { type: "checkbox", checked: telling.criterion === criterion.id,
        onchange: (event) => { telling.criterion = event.target.checked ? criterion.id : null; } }), ` only about \u201c${criterion.name}\u201d`) : null,
      h("textarea", { class: "tell-note", rows: 4, maxlength: 20000, "aria-label": "Your note to the study lead", placeholder: "what the study lead should know",
        oninput: (event) => { telling.note = textIn(event.target); } }, telling.note),
      h("p", { class: "small tell-problem", role: "alert" }),
      h("p", {}, h("button", { class: "main", onclick: () => this.sendTell() }, "Send ", h("kbd", { text: "Ctrl+Enter" })), " ",
        h("button", { class: "quiet", onclick: () => this.closeSheet(), text: "Close (Esc); what you wrote stays" })));
    dialog.showModal();
    (dialog.querySelector("input:checked") || dialog.querySelector("input")).focus();
    return true;
  },

  tellOpen() { return this.sheetOpen() && Boolean(this.root.querySelector("dialog .tell-note")); },

  sendTell() {
    const { about, note, criterion, unit } = this.telling;
    if (!about || !note.trim()) {
      this.root.querySelector("dialog .tell-problem").textContent = about ? "Write a sentence first." : "Choose what it is about first.";
      return true;
    }
    this.telling = null;
    this.closeSheet();
    this.outbox.put({ kind: "escalate", unit, criterion, about, note });
    renderPad(this);
    return true;
  },
});

// What was told about this unit, from the first look at it on.
function toldBox(app) {
  const known = new Set(app.data.told.map((one) => one.event));
  const waiting = app.outbox.waiting.filter((event) => event.kind === "escalate" && event.unit === app.data.unit.id && !known.has(event.id));
  if (!known.size && !waiting.length) return null;
  return h("section", { class: "told", key: "told", role: "status" },
    app.data.told.map((one) => h("p", { class: "small" }, `${one.about}: sent to the study lead ${clock(one.at).slice(0, 5)}`,
      one.answered_at ? [", answered", answerOf(one)] : null)),
    waiting.map((event) => h("p", { class: "small", text: `${app.data.tell_about[event.about]}: not sent yet, waits in this browser` })));
}

function answerOf(one) {
  if (!one.may_read) return "; you read the answer after the unit is committed and compared";
  return one.answer === null ? " (the words were erased)" : [": ", h("span", { dir: "auto", text: one.answer })];
}
