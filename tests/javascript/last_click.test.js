// The second click of a double click does nothing but what the first one did.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LastClick } from "../../pages/widgets/workbench/last_click.js";

/** @param {string | null} role */
function buttonOf(role = null) {
  return /** @type {Element} */ (/** @type {unknown} */ ({ getAttribute: () => role }));
}

test("a first click is never dropped, wherever it lands", () => {
  const lastClick = new LastClick();
  for (const button of [buttonOf(), buttonOf("radio"), null])
    for (const detail of [0, 1]) assert.equal(lastClick.strays({ detail }, button), false);
});

test("the second click of a double click goes only to the button of the first", () => {
  const lastClick = new LastClick();
  const [first, other] = [buttonOf(), buttonOf()];
  lastClick.strays({ detail: 1 }, first);
  assert.equal(lastClick.strays({ detail: 2 }, first), false);
  assert.equal(lastClick.strays({ detail: 3 }, other), true);
  assert.equal(lastClick.strays({ detail: 4 }, null), false);
  assert.equal(lastClick.strays({ detail: 1 }, other), false);
  assert.equal(lastClick.strays({ detail: 2 }, other), false);
});

test("a label is given once by a double click", () => {
  const lastClick = new LastClick();
  const label = buttonOf("radio");
  lastClick.strays({ detail: 1 }, label);
  assert.equal(lastClick.strays({ detail: 2 }, label), true);
});
