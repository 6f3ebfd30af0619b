// After the commit: my label, and the judge's beside it where it may be shown.
function judgementsOf(app, criterion) {
  const shown = app.data.reveal;
  return shown ? shown.judges.map((judge) => ({ judge, ...(shown.judgements[criterion.id]?.[judge.id] || { status: "missing", failure: "the judge gave no label for this criterion" }) })) : [];
}

function difference(criterion, mine, theirs) {
  if (mine === theirs) return { word: "same", kind: "same" };
  const order = criterion.levels.filter((level) => level.value !== null).map((level) => level.id);
  const [a, b] = [order.indexOf(mine), order.indexOf(theirs)];
  if (criterion.ordinal && a >= 0 && b >= 0) {
    const steps = Math.abs(a - b);
    return { word: `differs by ${steps} (judge ${b < a ? "lower" : "higher"})`, kind: "differs" };
  }
  return { word: "differs", kind: "differs" };
}

function summaryOf(app, criterion, mine) {
  if (mine.source === "rule") return `by rule: ${levelName(criterion, mine.label)}`;
  const parts = [`you ${mine.cannot_rate ? "cannot rate" : levelName(criterion, mine.label)}`];
  const all = judgementsOf(app, criterion);
  if (!all.length) return parts[0];
  if (all.length === 1) {
    const one = all[0];
    parts.push(one.status === "ok" ? `judge ${levelName(criterion, one.label)}` : "judge: no answer");
    if (one.status === "ok" && mine.label !== null) parts.push(difference(criterion, mine.label, one.label).word);
  } else {
    const labels = all.filter((one) => one.status === "ok");
    const same = labels.filter((one) => one.label === mine.label).length;
    parts.push(`${same} of ${labels.length} judges same`);
  }
  return parts.join(" · ");
}

function comparedRow(app, criterion, index) {
  const mine = app.data.ratings[criterion.id] || { ...EMPTY };
  const focus = index === app.focus;
  const differs = mine.source !== "rule" && judgementsOf(app, criterion).some((one) => one.status !== "ok" || (mine.label !== null && one.label !== mine.label));
  const row = h("section", { class: "row" + (focus ? " focus" : "") + (differs ? " differs" : ""), "data-criterion": criterion.id, key: criterion.id },
    h("button", { class: "name", key: "name", "aria-expanded": String(focus), onclick: () => app.setFocus(index) },
      h("span", { class: "shape", "aria-hidden": "true", text: focus ? "▶" : differs ? "≠" : app.data.reveal ? "=" : "●" }),
      h("span", { class: "grow" }, codeOf(criterion), criterion.name, focus ? null : noteMark(mine)), h("span", { class: "label", text: focus && app.data.reveal && mine.source !== "rule" ? "" : summaryOf(app, criterion, mine) })));
  if (!focus) return row;
  row.append(h("p", { class: "asks", text: criterion.checks_for }));
  if (mine.first && said(app, criterion, mine.first) !== said(app, criterion, mine)) {
    row.append(h("p", { class: "small", dir: "auto", text: `Your first label: ${said(app, criterion, mine.first)}. Both are kept.${mine.reason ? ` Your reason: ${mine.reason}` : ""}` }));
  }
  if (mine.note) row.append(h("p", { class: "small", text: `Your note: ${mine.note}` }));
  if (mine.evidence.length) row.append(evidenceList(app, criterion, mine));
  if (app.info) row.append(infoBox(criterion));
  if (mine.source === "rule") {
    row.append(h("p", { class: "small", text: `Filled in by rule and asked of nobody: ${criterion.forced_why}` }));
    return row;
  }
  const all = judgementsOf(app, criterion);
  row.append(judges(app, criterion, mine));
  if (app.mode === "change") row.append(changeBox(app, criterion, mine));
  else {
    row.append(h("p", { class: "tools", key: "tools" },
      all.length ? tool(app, "Enter", "keep mine", () => app.keep(criterion)) : null,
      mine.source === "rule" ? null : tool(app, "g", "change mine ... (with a reason)", () => app.setMode("change")),
      tool(app, "i", app.info ? "hide anchors" : "anchors, examples", () => app.toggleInfo())));
  }
  return row;
}

function judges(app, criterion, mine) {
  const all = judgementsOf(app, criterion);
  const visible = app.sideBySide ? all : all.slice(app.judge, app.judge + 1);
  return h("div", { key: "judges" }, all.length > 1 ? judgeTabs(app, all) : null,
    h("div", { class: app.sideBySide && all.length > 1 ? "side" : "" }, visible.map((one) => judgementBox(app, criterion, mine, one))));
}

function judgeTabs(app, all) {
  return h("div", { class: "tabs", role: "group", "aria-label": "Judges" }, all.map((one, number) =>
    h("button", { class: number === app.judge ? "on" : "", key: one.judge.id, "aria-pressed": String(number === app.judge), onclick: () => app.setJudge(number), text: one.judge.name })),
    h("button", { class: "quiet", key: "V", onclick: () => app.toggleSide() }, h("kbd", { text: "V" }), app.sideBySide ? " one at a time" : " side by side"));
}

function judgementBox(app, criterion, mine, one) {
  const answer = app.data.responses[`${one.judge.id}/${criterion.id}`] || {};
  const box = h("div", { class: "judgement", "data-judge": one.judge.id, key: one.judge.id },
    h("p", { class: "small", title: one.judge.identity, text: one.judge.line }));
  if (one.status !== "ok") {
    box.append(h("p", { class: "failure" }, h("strong", { text: "No answer from the judge: " }), one.failure + "."), one.reasoning ? h("p", { class: "small", text: one.reasoning }) : "");
    return box;
  }
  const diff = mine.label === null ? { word: "", kind: "" } : difference(criterion, mine.label, one.label);
  box.append(h("p", { class: "versus" },
    h("span", {}, "you ", h("strong", { text: mine.cannot_rate ? "cannot rate" : levelName(criterion, mine.label) })),
    h("span", {}, "judge ", h("strong", { text: levelName(criterion, one.label) })),
    diff.word ? h("span", { class: "diff " + diff.kind, text: (diff.kind === "same" ? "= " : "≠ ") + diff.word }) : null));
  if (one.rule_broken) box.append(h("p", { class: "failure", text: one.rule_broken }));
  box.append(one.reasoning
    ? h("blockquote", { dir: "auto", text: one.reasoning })
    : h("p", { class: "small", text: one.erased ? "The judge's reasons were erased." : "This judge gave no written reasons." }));
  if (one.cited.length) {
    box.append(h("p", { class: "small" }, h("kbd", { text: "L" }), " turns it cites: ", one.cited.map((turn) =>
      h("button", { class: "quiet cite", onclick: () => jumpToTurn(app, turn), text: String(turn) }))));
  }
  if (one.reasoning) {
    box.append(h("div", { class: "choices", key: "holds", role: "radiogroup", "aria-label": "This reasoning is" },
      h("span", { class: "small", text: "This reasoning is" }),
      Object.entries(app.data.reasoning_words).map(([id, { key, text }]) =>
        h("button", { role: "radio", "aria-checked": String(answer.reasoning === id), class: answer.reasoning === id ? "on" : "",
          onclick: () => app.judgeReasoning(criterion, one.judge.id, id) }, h("kbd", { text: key.toUpperCase() }), ` ${text}`))));
    if (answer.reasoning || answer.comment) box.append(commentBox(app, criterion, one, answer));
  }
  if (answer.decision) box.append(h("p", { class: "small", text: answer.decision === "keep" ? "You kept your label." : "You changed your label after seeing this." }));
  return box;
}

function changeBox(app, criterion, mine) {
  const draft = app.change;
  return h("div", { class: "change", key: "change" },
    h("p", { class: "small", text: "Your new label. The first one stays in the record." }),
    choices(app, criterion, { label: draft.label, also: [] }, (label) => app.setChange({ label })),
    h("textarea", { class: "reason", rows: 2, placeholder: "reason (needed)", "aria-label": "Reason for the change", maxlength: 20000,
      oninput: (event) => { draft.reason = textIn(event.target); app.refreshChangeButton(); } }, draft.reason),
    h("p", { class: "tools" },
      h("button", { class: "main save-change", disabled: !app.changeReady(), onclick: () => app.saveChange(criterion) }, "Save the change ", h("kbd", { text: "Ctrl+Enter" })),
      h("button", { class: "quiet", onclick: () => app.setMode(null) }, h("kbd", { text: "Esc" }), " leave it")));
}

function decisionLine(score) {
  return h("div", { class: "decision", key: "decision" },
    score.lines.map((line) => h("p", {}, h("span", { class: "who", text: line.who === "You" ? "By your labels: " : `By ${line.who}'s: ` }), h("strong", { text: line.says }))),
    score.differs.map((text) => h("p", { class: "flip", text })));
}

function scoreBox(score) {
  return h("section", { class: "score", key: "score", "aria-label": "Score" },
    h("h3", { text: "What the labels add up to" }),
    score.lines.map((line) => h("p", {}, h("span", { class: "who", text: line.who }), " ", h("strong", { text: line.says }), line.detail ? h("span", { class: "small", text: ` ${line.detail}` }) : null)),
    score.categories.length ? h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col", text: "Category" }), score.lines.map((line) => h("th", { scope: "col", text: line.who })))),
      h("tbody", {}, score.categories.map((row) => h("tr", {}, h("th", { scope: "row", text: row.name }), row.values.map((value) => h("td", { text: value })))))) : null);
}
