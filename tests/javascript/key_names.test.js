// What a key is called on the layouts of other alphabets and on other Latin ones, and that every place of the pages
// asks for it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TurnKeys } from "../../pages/widgets/bar/turn_keys.js";
import { onPadKey } from "../../pages/widgets/lead_pad/pad_keys.js";
import { nameOfKey } from "../../pages/widgets/scripts/key_names.js";
import { stepOf } from "../../pages/widgets/settle_list/moves.js";

/** By layout: what the keyboard writes, the place of the key, its name; with Shift where a fourth stands there. */
const LAYOUTS = /** @type {Record<string, [string, string, string, "Shift"?][]>} */ ({
  Russian: [
    ["н", "KeyY", "y"],
    ["Н", "KeyY", "y", "Shift"],
    ["т", "KeyN", "n"],
    ["ф", "KeyA", "a"],
    ["о", "KeyJ", "j"],
    ["х", "BracketLeft", "["],
    ["ъ", "BracketRight", "]"],
    ["1", "Digit1", "1"],
    ["?", "Digit7", "?", "Shift"],
    ["э", "Quote", "э"],
  ],
  Greek: [
    ["υ", "KeyY", "y"],
    ["ν", "KeyN", "n"],
    ["α", "KeyA", "a"],
    ["Α", "KeyA", "a", "Shift"],
    ["?", "Slash", "?", "Shift"],
  ],
  Arabic: [
    ["غ", "KeyY", "y"],
    ["ى", "KeyN", "n"],
    ["ش", "KeyA", "a"],
    ["ِ", "KeyA", "a", "Shift"],
    ["؟", "Slash", "?", "Shift"],
    ["ظ", "Slash", "/"],
    ["١", "Digit1", "1"],
    ["٢", "Numpad2", "2"],
  ],
  Hebrew: [
    ["ט", "KeyY", "y"],
    ["מ", "KeyN", "n"],
    ["ש", "KeyA", "a"],
    ["?", "Slash", "?", "Shift"],
  ],
  AZERTY: [
    ["à", "Digit0", "0"],
    ["&", "Digit1", "1"],
    ["é", "Digit2", "2"],
    ['"', "Digit3", "3"],
    ["(", "Digit5", "5"],
    ["1", "Digit1", "1", "Shift"],
    ["5", "Numpad5", "5"],
    ["a", "KeyQ", "a"],
    ["q", "KeyA", "q"],
    ["m", "Semicolon", "m"],
    [",", "KeyM", ","],
    ["?", "KeyM", "?", "Shift"],
    ["!", "Slash", "!"],
  ],
  QWERTZ: [
    ["z", "KeyY", "z"],
    ["Z", "KeyY", "z", "Shift"],
    ["y", "KeyZ", "y"],
    ["ü", "BracketLeft", "ü"],
    ["-", "Slash", "-"],
    ["_", "Slash", "_", "Shift"],
    ["!", "Digit1", "!", "Shift"],
    ["/", "Digit7", "/", "Shift"],
    ["?", "Minus", "?", "Shift"],
  ],
  Dvorak: [
    ["f", "KeyY", "f"],
    ["b", "KeyN", "b"],
    ["y", "KeyT", "y"],
    ["n", "KeyL", "n"],
    ["'", "KeyQ", "'"],
    [".", "KeyE", "."],
    ["?", "BracketLeft", "?", "Shift"],
  ],
  Turkish: [["ı", "KeyI", "ı"]],
  "an English one": [
    ["y", "KeyY", "y"],
    ["!", "Digit1", "!", "Shift"],
    ["Enter", "Enter", "Enter"],
    ["ArrowDown", "ArrowDown", "ArrowDown"],
    ["End", "Numpad1", "End"],
    ["Dead", "KeyN", "Dead"],
    [" ", "Space", " "],
  ],
});

for (const [layout, keys] of Object.entries(LAYOUTS)) {
  test(`what the keys are called on ${layout}`, () => {
    for (const [key, code, name, held] of keys)
      assert.equal(nameOfKey({ key, code, shiftKey: held === "Shift" }), name, `${key} at ${code}`);
  });
}

test("a key without a place, as a program makes it, is what it writes", () => {
  assert.deepEqual(
    [nameOfKey({ key: "Y" }), nameOfKey({ key: "н" }), nameOfKey({ key: "&" })],
    ["y", "н", "&"],
  );
});

const BODY = {};
const HELD_KEYS = ["ctrlKey", "metaKey", "altKey"];

/** @param {Record<string, unknown>} settings */
const russian = (settings) =>
  /** @type {any} */ ({ composedPath: () => [BODY], preventDefault() {}, ...settings });

test("the list of labels goes on by the place of J, not with Ctrl, Alt or Meta", () => {
  assert.equal(stepOf(russian({ key: "о", code: "KeyJ" }), false), 1);
  for (const held of HELD_KEYS)
    assert.equal(stepOf(russian({ key: "о", code: "KeyJ", [held]: true }), false), 0);
});

class TestLink {
  click() {
    pressed.push("next");
  }
}
/** @type {string[]} */
const pressed = [];
Object.assign(globalThis, {
  HTMLElement: class {},
  HTMLAnchorElement: TestLink,
  window: new EventTarget(),
  document: { body: BODY, querySelector: () => new TestLink() },
});

test("a page turns by the place of J, not with Ctrl, Alt or Meta", () => {
  const keys = new TurnKeys();
  for (const held of HELD_KEYS) keys.onKey(russian({ key: "о", code: "KeyJ", [held]: true }));
  assert.deepEqual(pressed.splice(0), []);
  keys.onKey(russian({ key: "о", code: "KeyJ" }));
  assert.deepEqual(pressed.splice(0), ["next"]);
  keys.stop();
});

test("the pad of a study lead labels by the place of Y, not with Ctrl, Alt or Meta", () => {
  const pad = /** @type {any} */ ({
    root: { isConnected: true },
    criterion: { id: "CQ1", levels: [{ id: "YES", key: "y" }] },
    setLabel: (/** @type {unknown} */ _, /** @type {string} */ label) => pressed.push(label),
  });
  for (const held of HELD_KEYS) onPadKey(pad, russian({ key: "н", code: "KeyY", [held]: true }));
  assert.deepEqual(pressed.splice(0), []);
  onPadKey(pad, russian({ key: "н", code: "KeyY" }));
  assert.deepEqual(pressed.splice(0), ["YES"]);
});
