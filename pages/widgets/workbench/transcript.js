// The conversation: turn numbers, clear roles, own scroll, evidence marks, jump to a turn.
function renderTranscript(app) {
  const { data } = app;
  const pane = app.transcript;
  const key = `${data.unit.id}`;
  if (pane.dataset.unit === key && !app.transcriptChanged) return;
  app.transcriptChanged = false;
  pane.dataset.unit = key;
  app.cursor = null;
  const messages = app.messages;
  if (messages === null) {
    pane.replaceChildren(h("p", { class: "empty", text: "The text of this conversation is not here: it was erased, or only its labels were imported." }));
    return;
  }
  const box = document.createDocumentFragment();
  messages.forEach((message, index) => {
    if (message.role === "system") return;  // may name the condition; its words are not sent either
    const rated = data.unit.message === index;
    box.append(h("article", { class: `message ${message.role}${rated ? " rated" : ""}`, "data-index": index, "data-turn": message.turn },
      h("header", {},
        h("span", { class: "turn", text: message.turn ? String(message.turn) : "" }),
        h("span", { class: "role", text: app.roleName(message.role) }),
        rated ? h("span", { class: "tag", text: "to rate" }) : null),
      rated && data.unit.plan ? planBox(data.unit.plan) : null,
      h("div", { class: "text", dir: "auto", "data-text": index })));
  });
  pane.replaceChildren(box);
  messages.forEach((_, index) => drawText(app, index));
  const asked = data.turn ? pane.querySelectorAll(`[data-turn="${Number(data.turn)}"]`) : [];
  asked.forEach((node) => node.classList.add("asked"));
  const rated = data.unit.message !== null && data.unit.message !== undefined ? pane.querySelector(`[data-index="${data.unit.message}"]`) : null;
  const first = asked[0] ?? rated;
  pane.scrollTop = first ? first.offsetTop - 24 : 0;
}

function planBox(plan) {
  return h("div", { class: "plan" }, h("p", { class: "small", text: "Declared plan" }),
    h("ul", {}, plan.strategies.map((s) => h("li", {}, h("strong", { text: s.name }), s.description ? ` – ${s.description}` : ""))),
    plan.unknown.length ? h("p", { class: "small", text: `Not in the taxonomy, not rated: ${plan.unknown.join(", ")}` }) : null);
}

// The text of a message with its evidence marks. Marks may overlap; a character is marked or not.
function drawText(app, index) {
  const node = app.transcript.querySelector(`[data-text="${index}"]`);
  if (!node) return;
  const text = app.messages[index].text;
  const shownFrom = startOf(app, index);
  if (!text.trim()) {
    node.replaceChildren(h("em", { class: "small", text: "(empty message)" }));
    return;
  }
  const spans = app.evidenceOf(index).sort((a, b) => a.start - b.start);
  const parts = [];
  let at = shownFrom;
  for (const span of spans) {
    const start = Math.max(at, Math.min(span.start, text.length));
    const end = Math.min(span.end, text.length);
    if (end <= start) continue;
    parts.push(document.createTextNode(text.slice(at, start)), h("mark", { text: text.slice(start, end), title: `your evidence: ${span.why}` }));
    at = end;
  }
  parts.push(document.createTextNode(text.slice(at)));
  node.replaceChildren(...parts);
}

// The declared plan stands in a box of its own, so the text of the reply begins after it.
function startOf(app, index) {
  return app.data.unit.message === index && app.data.unit.plan ? app.data.unit.plan.response_start : 0;
}

// The selected text as { message, start, end }, or the whole message under the cursor; null where there is neither.
function selectedSpan(app) {
  const root = app.root.getRootNode();
  const selection = root.getSelection ? root.getSelection() : document.getSelection();
  let range = selection && selection.rangeCount ? selection.getRangeAt(0) : null;
  if (selection && selection.getComposedRanges && !root.getSelection) range = selection.getComposedRanges({ shadowRoots: [root] })[0];
  if (range && !range.collapsed) {
    const from = range.startContainer.parentElement?.closest?.("[data-text]") || range.startContainer.closest?.("[data-text]");
    const to = range.endContainer.parentElement?.closest?.("[data-text]") || range.endContainer.closest?.("[data-text]");
    if (from) {
      const index = Number(from.dataset.text);
      const base = startOf(app, index);
      const start = base + offsetIn(from, range.startContainer, range.startOffset);
      const end = from === to ? base + offsetIn(from, range.endContainer, range.endOffset) : app.messages[index].text.length;
      selection.removeAllRanges();
      if (end > start) return { message: index, start, end };
    }
  }
  return app.cursor === null ? null : { message: app.cursor, start: startOf(app, app.cursor), end: app.messages[app.cursor].text.length };
}

function offsetIn(box, node, offset) {
  const measure = document.createRange();
  measure.selectNodeContents(box);
  measure.setEnd(node, offset);
  return measure.toString().length;
}

function jumpToTurn(app, turn) {
  const target = app.transcript.querySelector(`[data-turn="${turn}"]`);
  if (target) moveCursor(app, Number(target.dataset.index));
  return Boolean(target);
}

// The message cursor is the keyboard's way to point: [ and ] move it, E takes the message as evidence.
function moveCursor(app, index) {
  if (!app.messages || !app.messages.length) return;
  app.cursor = Math.max(0, Math.min(index, app.messages.length - 1));
  for (const node of app.transcript.querySelectorAll(".cursor")) node.classList.remove("cursor");
  const node = app.transcript.querySelector(`[data-index="${app.cursor}"]`);
  if (!node) return;
  node.classList.add("cursor");
  const top = node.offsetTop;
  const visible = top >= app.transcript.scrollTop && top + node.offsetHeight <= app.transcript.scrollTop + app.transcript.clientHeight;
  if (!visible) app.transcript.scrollTop = Math.max(0, top - 24);
}
