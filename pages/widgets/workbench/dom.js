// Building elements. Text goes in through textContent only: nothing that comes from outside is ever markup.
// `key` names what an element stands for, so that it stays the same element when its place is drawn again.
function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  node.handlers = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.handlers[name] = node[name] = value;
    else if (name === "key") node.key = String(value);
    else if (name === "text") node.textContent = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

// What stands in a field. A control character, or half of a character, cannot be kept: it stands there as \ufffd from then on.
function textIn(box) {
  const text = box.value.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Surrogate}]/gu, "\ufffd");
  if (text !== box.value) {
    const at = box.selectionStart;
    box.value = text;
    box.setSelectionRange(at, at);
  }
  return text;
}

function words(count, one, many) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

function clock(iso) {
  return iso ? new Date(iso).toLocaleTimeString("en-GB") : "";
}
