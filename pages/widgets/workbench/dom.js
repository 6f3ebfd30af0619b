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

function words(count, one, many) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

function clock(iso) {
  return iso ? new Date(iso).toLocaleTimeString("en-GB") : "";
}
