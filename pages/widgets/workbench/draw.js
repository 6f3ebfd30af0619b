// Drawing a place again without making its elements anew. The server's answer comes at any moment, also
// between pressing and releasing the mouse: an element that is made anew in between loses the click, a field
// its cursor, an unfolded part is folded again. So what still stands for the same thing stays where it is.
function draw(place, ...children) {
  const box = document.createDocumentFragment();
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false && child !== "") box.append(child);
  }
  drawChildren(place, [...box.childNodes]);
}

// A button without a key of its own is the button with these words: a press never does what another one says.
function keyOf(node) {
  return node.key ?? (node.nodeName === "BUTTON" ? node.getAttribute("aria-label") ?? node.textContent : null);
}

function sameThing(node, other) {
  return node.nodeName === other.nodeName && keyOf(node) === keyOf(other);
}

function drawChildren(place, wanted) {
  let next = place.firstChild;
  wanted.forEach((node, index) => {
    const same = counterpart(next, wanted, index);
    if (!same) { place.insertBefore(node, next); return; }
    while (next !== same) next = removeFrom(next);
    next = same.nextSibling;
    drawNode(same, node);
  });
  while (next) next = removeFrom(next);
}

function removeFrom(node) {
  const after = node.nextSibling;
  node.remove();
  return after;
}

// The element from here on that stands for the same thing, but none behind an element that is still to come.
function counterpart(from, wanted, index) {
  for (let node = from; node; node = node.nextSibling) {
    if (sameThing(node, wanted[index])) return node;
    if (keyOf(node) !== null && wanted.some((later, place) => place > index && sameThing(node, later))) return null;
  }
  return null;
}

function drawNode(node, wanted) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== wanted.data) node.data = wanted.data;
    return;
  }
  for (const { name } of [...node.attributes]) {
    const unfolded = name === "open" && node.nodeName === "DETAILS";  // by the person, and so it stays
    if (!unfolded && !wanted.hasAttribute(name)) node.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  for (const name of Object.keys(node.handlers ?? {})) node[name] = null;
  Object.assign(node, wanted.handlers);
  node.handlers = wanted.handlers;
  if (node.nodeName !== "TEXTAREA") { drawChildren(node, [...wanted.childNodes]); return; }
  const writing = node.getRootNode().activeElement === node;
  if (!writing && node.value !== wanted.value) node.value = wanted.value;
}
