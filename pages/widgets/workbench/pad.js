// The rating pad: one row a criterion, the row in focus opened.
const EMPTY = { label: null, cannot_rate: null, also: [], confidence: null, note: "", evidence: [] };
const SURE = { 1: "unsure", 2: "fairly sure", 3: "sure" };

function answered(app, criterion) {
  const answer = app.answer(criterion.id);
  return criterion.forced !== null || answer.label !== null || answer.cannot_rate !== null;
}

function levelName(criterion, id) {
  const level = criterion.levels.find((item) => item.id === id);
  return level ? (level.name === level.id ? level.id : `${/^\d+$/.test(level.id) ? level.id + " " : ""}${level.name}`) : id;
}

function said(app, criterion, answer) {
  if (answer.cannot_rate) return `cannot rate: ${app.data.cannot_rate[answer.cannot_rate]}`;
  if (answer.label !== null && answer.label !== undefined) return levelName(criterion, answer.label);
  return "";
}

// `follow`: bring the open row into view, after something that the person did; an answer of the server moves nothing.
function renderPad(app, follow = true) {
  const { data } = app;
  app.metricsOpen = Boolean(app.metricsOpen && data.metrics);
  app.pad.classList.toggle("showing-metrics", app.metricsOpen);
  if (app.metricsOpen) {
    renderMetrics(app);
    renderFoot(app);
    return;
  }
  const box = [];
  box.push(h("p", { class: "where", key: "where" },
    padTabs(app),
    h("span", { class: "place", text: `${Math.min(app.focus + 1, data.criteria.length)} of ${data.criteria.length}` }),
    h("span", { class: "grow" }),
    h("button", { class: "quiet tell-lead", onclick: () => app.openTell() }, h("kbd", { text: "H" }), " tell the study lead"),
    h("button", { class: "quiet", onclick: () => app.openSheet(), text: "? keys" })), toldBox(app));
  if (data.score && data.committed_at) box.push(decisionLine(data.score));
  let category = null;
  data.criteria.forEach((criterion, index) => {
    if (criterion.category && criterion.category.id !== category) {
      category = criterion.category.id;
      box.push(h("h3", { class: criterion.category.gate ? "gate" : "", key: category, title: criterion.category.question },
        criterion.category.name, criterion.category.gate ? " (safety gate)" : ""));
    }
    box.push(data.committed_at ? comparedRow(app, criterion, index) : blindRow(app, criterion, index));
  });
  if (data.score && data.committed_at) box.push(scoreBox(data.score));
  const rows = app.pad.querySelector(".rows");
  draw(rows, box);
  renderFoot(app);
  if (follow) keepInView(rows, rows.querySelector(".focus"));
}

// Only the list itself scrolls; scrollIntoView would move the page as well.
function keepInView(list, row) {
  if (!row) return;
  const bottom = row.offsetTop + row.offsetHeight;
  if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight + 8;
  const covered = (list.querySelector(".decision")?.offsetHeight || 0) + 30;
  if (row.offsetTop < list.scrollTop + covered) list.scrollTop = Math.max(0, row.offsetTop - covered);
}

function rowHead(app, criterion, index, summary) {
  const focus = index === app.focus;
  const done = answered(app, criterion), answer = app.answer(criterion.id);
  return h("button", { class: "name", key: "name", "aria-expanded": String(focus), onclick: () => app.setFocus(index) },
    h("span", { class: "shape", "aria-hidden": "true", text: focus ? "▶" : done ? "✓" : "○" }),
    h("span", { class: "grow" }, codeOf(criterion), criterion.name, focus ? null : noteMark(answer)),
    h("span", { class: "label", text: summary }));
}

// That a note is there, where the row is folded.
function noteMark(answer) {
  if (!answer.note) return null;
  return h("span", { class: "note-mark", title: "with a note" },
    h("span", { "aria-hidden": "true", text: " \u270e" }), h("span", { class: "hidden", text: ", with a note" }));
}

function codeOf(criterion) {
  return criterion.id.length <= 4 ? h("span", { class: "code", text: criterion.id }) : null;
}

function blindRow(app, criterion, index) {
  const focus = index === app.focus;
  const answer = app.answer(criterion.id);
  const row = h("section", { class: "row" + (focus ? " focus" : ""), "data-criterion": criterion.id, key: criterion.id },
    rowHead(app, criterion, index, criterion.forced !== null ? levelName(criterion, criterion.forced) : said(app, criterion, answer)));
  if (!focus) return row;
  row.append(h("p", { class: "asks", text: criterion.checks_for }));
  if (criterion.forced !== null) {
    row.append(h("p", { class: "small", text: `Filled in by rule: ${criterion.forced_why}` }));
    return row;
  }
  row.append(choices(app, criterion, answer));
  if (app.info) row.append(infoBox(criterion));
  if (app.data.reveal) row.append(judges(app, criterion, answer));  // open review only
  if (app.mode === "cannot") row.append(cannotBox(app, criterion));
  row.append(evidenceHint(app, criterion) || "", evidenceList(app, criterion, answer) || "");
  row.append(noteBox(app, criterion, answer));
  row.append(h("p", { class: "tools", key: "tools" },
    tool(app, "i", app.info ? "hide anchors" : "anchors, examples", () => app.toggleInfo()),
    tool(app, "f", answer.confidence ? `how sure: ${SURE[answer.confidence]}` : "how sure", () => app.nextConfidence()),
    tool(app, "d", app.mode === "also" ? "also defensible: now a label's key" : "also defensible", () => app.setMode("also")),
    tool(app, "x", "cannot rate, because ...", () => app.setMode("cannot"))));
  return row;
}

function tool(app, key, text, action) {
  return h("button", { class: "quiet", key, onclick: action }, h("kbd", { text: key.toUpperCase() }), ` ${text}`);
}

function choices(app, criterion, answer, onpick = null) {
  const long = criterion.levels.reduce((sum, level) => sum + level.name.length + 5, 0) > 60;
  return h("div", { class: "choices" + (long ? " long" : ""), key: "choices", role: "radiogroup", "aria-label": criterion.name }, criterion.levels.map((level) =>
    h("button", {
      role: "radio", "aria-checked": String(answer.label === level.id), title: level.anchor, "data-label": level.id, key: level.id,
      class: answer.label === level.id ? "on" : answer.also.includes(level.id) ? "also" : "",
      onclick: () => (onpick ? onpick(level.id) : app.pick(criterion, level.id)),
    }, h("kbd", { text: level.key.toUpperCase() }), ` ${level.name === level.key ? "" : level.name}`,
      answer.also.includes(level.id) ? h("span", { class: "small", text: " also" }) : null)));
}

function infoBox(criterion) {
  return h("div", { class: "info", key: "info" },
    h("dl", {}, criterion.levels.filter((level) => level.anchor).map((level) => [h("dt", { text: levelName(criterion, level.id) }), h("dd", { text: level.anchor })])),
    criterion.not_applicable_note ? h("p", { class: "small", text: criterion.not_applicable_note }) : null,
    criterion.examples.length ? [h("p", { class: "small", text: criterion.examples_title }), h("ul", {}, criterion.examples.map((text) => h("li", { text })))] : null);
}

function cannotBox(app, criterion) {
  return h("div", { class: "cannot", key: "cannot", role: "group", "aria-label": "Cannot rate, because" },
    h("p", { class: "small", text: "Cannot rate, because (press the number, Esc to leave):" }),
    Object.entries(app.data.cannot_rate).map(([id, text], number) =>
      h("button", { onclick: () => app.pickCannot(criterion, id) }, h("kbd", { text: String(number + 1) }), ` ${text}`)));
}

function evidenceList(app, criterion, answer) {
  if (!answer.evidence.length) return null;
  const list = h("ul", { class: "evidence" }, answer.evidence.map((span, number) => {
    const message = app.messages?.[span.message];
    const quote = message ? message.text.slice(span.start, span.end) : "";
    return h("li", { key: `${span.message} ${span.start} ${span.end}` },
      h("button", { class: "quiet", dir: "auto", onclick: () => moveCursor(app, span.message) }, `turn ${message?.turn ?? "?"}: “${quote.length > 90 ? quote.slice(0, 90) + "…" : quote}”`),
      app.data.committed_at ? null : h("button", { class: "quiet", "aria-label": "Remove this evidence", text: "remove",
        onclick: () => app.setAnswer(criterion.id, { evidence: answer.evidence.filter((_, other) => other !== number) }) }));
  }));
  return h("div", { key: "evidence" }, h("p", { class: "small", text: `Evidence for: ${criterion.name}` }), list);
}

function renderFoot(app) {
  const { data } = app;
  const foot = app.pad.querySelector("footer");
  if (!data.committed_at && app.outbox.waiting.some(({ kind, unit }) => kind === "commit" && unit === data.unit.id)) {
    draw(foot, h("span", { text: app.outbox.status().bad ? "The commit is not saved yet." : "committing ..." }));
    return;
  }
  if (!data.committed_at) {
    const left = data.criteria.filter((criterion) => !answered(app, criterion)).length;
    const parts = [h("span", { text: left ? `${left} left` : "all answered" }), h("span", { class: "grow" }),
      h("button", { class: "quiet", onclick: () => app.skip() }, h("kbd", { text: "Q" }), " skip"),
      h("button", { class: "main", disabled: left > 0, onclick: () => app.commit() }, "Commit unit ", h("kbd", { text: "Ctrl+Enter" }))];
    draw(foot, parts);
    return;
  }
  draw(foot, h("span", { class: "small", text: data.after_commit }), h("span", { class: "grow" }),
    data.next ? h("button", { class: "main", onclick: () => app.go(data.next) }, data.next_label + " ", h("kbd", { text: "J" })) : null);
}
