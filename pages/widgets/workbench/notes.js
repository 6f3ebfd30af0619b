// Words beside a label: evidence, notes, and comments on a judge's reasoning. Right after a label they are
// about the criterion just labelled, although the page has moved on by itself, until the person goes to
// another one or labels it.
Object.assign(Workbench.prototype, {
  subject() { return this.data.criteria.find(({ id }) => id === this.labelled) || this.criterion(); },

  // A click or the Tab key into another criterion's row goes there.
  goInto(id) {
    if (!this.labelled || this.labelled === id) return;
    this.labelled = null;
    this.pad.querySelector(".focus .about")?.replaceWith(evidenceHint(this, this.criterion()) || "");
  },

  pressed(event) {
    this.pressing = true;
    setTimeout(() => { this.pressing = false; });  // the blur of what had the focus comes before
    const row = event.target.closest(".row");
    if (row) this.goInto(row.dataset.criterion);
  },

  takeEvidence() {
    if (this.data.committed_at) return true;
    const span = selectedSpan(this);
    if (!span) {
      this.say("Select words in the conversation first, or choose a message with [ and ].");
      return true;
    }
    const { id } = this.subject();
    return this.setAnswer(id, { evidence: [...this.answer(id).evidence, span] });
  },

  // Right after a label its row opens again for the note; with the note closed the next criterion comes back.
  openNote() {
    if (this.data.committed_at || this.judged) return this.openComment();
    const about = this.subject();
    if (about.forced !== null) return true;
    clearTimeout(this.advance); this.advance = null;
    if (about.id !== this.criterion().id) this.showCriterion(this.data.criteria.indexOf(about));
    this.onward = about.id === this.labelled;
    this.mode = "note";
    this.say("");
    renderPad(this);
    writeIn(this.pad.querySelector(".focus .note"));
    return true;
  },

  leaveNote(event) {
    this.outbox.flush();
    this.mode = null;
    // A click in the pad, the Tab key and another window are not the end of it: what is under them must stay
    // there.
    const elsewhere = !this.pressing && !this.pad.contains(event.relatedTarget) && document.hasFocus();
    if (this.onward && elsewhere && event.target.isConnected) { this.onward = false; this.moveOn(); }
  },

  // After the reveal: a comment on the reasoning that is shown, once it was said how far it holds.
  openComment() {
    const judgement = this.data.reveal ? judgementsOf(this, this.criterion())[this.judge] : null;
    const place = `.focus .judgement[data-judge="${judgement?.judge.id}"]`;
    const shown = judgement && this.pad.querySelector(place);
    if (!shown || !judgement.reasoning || judgement.status !== "ok") return true;
    const box = shown.querySelector(".comment");
    if (box) writeIn(box);
    else this.say("First say how far the reasoning holds: S, P, U or T.");
    return true;
  },

  setComment(criterion, judge, text) {
    this.outbox.put({ kind: "comment", unit: this.data.unit.id, criterion: criterion.id, judge, text }, true);
    this.respond(criterion.id, judge, { comment: text, comment_erased: false });
  },
});

function writeIn(box) {
  box?.focus();
  box?.setSelectionRange(box.value.length, box.value.length);
}

// Which criterion E and O are about, said on the row that is open. The list of evidence says it by itself.
function evidenceHint(app, criterion) {
  const about = app.subject(), { evidence } = app.answer(about.id);
  if (about.id === criterion.id) {
    if (evidence.length) return null;
    const how = "Select words in the conversation, then E: evidence for this criterion.";
    return h("p", { class: "small", text: how });
  }
  const places = words(evidence.length, "place", "places");
  const told = evidence.length
    ? [h("strong", { text: `Evidence for: ${about.name}` }), ` (${places}). E and O still go there;`]
    : `E and O still go to \u201c${about.name}\u201d;`;
  const leave = " to this one once you click here or come by \u2191 \u2193.";
  return h("p", { class: "small about", role: "status" }, told, leave);
}

function noteBox(app, criterion, answer) {
  return h("div", { class: "words", key: "note" },
    h("p", { class: "small note-on", text: `Note on: ${criterion.name}` }),
    h("textarea", {
      class: "note", rows: answer.note || app.mode === "note" ? 3 : 1, maxlength: 20000,
      "aria-label": `Note on ${criterion.name}`,
      placeholder: app.subject().id === criterion.id ? "note (O)" : "note",
      oninput: (event) => app.setAnswer(criterion.id, { note: textIn(event.target) }, { typing: true }),
      onfocus: () => app.goInto(criterion.id), onblur: (event) => app.leaveNote(event),
    }, answer.note));
}

function commentBox(app, criterion, judgement, answer) {
  return h("div", { class: "words", key: "comment" },
    h("textarea", {
      class: "comment", rows: 2, maxlength: 20000, placeholder: "comment on this reasoning (O)",
      "aria-label": `Comment on the reasoning of ${judgement.judge.name} on ${criterion.name}`,
      oninput: (event) => app.setComment(criterion, judgement.judge.id, textIn(event.target)),
      onblur: () => app.outbox.flush(),
    }, answer.comment || ""),
    answer.comment_erased
      ? h("p", { class: "small", text: "The words of your comment were erased." }) : null);
}
