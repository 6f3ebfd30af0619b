// The keys of a study lead's pad: a label's own key, arrows, and Ctrl+Enter, and when no key does anything. What was
// entered there and not sent is found again; what was sent is what the server says.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Entries } from "../../pages/widgets/lead_pad/entries.js";
import { LeadPad } from "../../pages/widgets/lead_pad/lead_pad.js";
import { onPadKey } from "../../pages/widgets/lead_pad/pad_keys.js";

/** An element as far as the keyboard looks at it. */
class TestElement {
  /** @param {string} tagName */
  constructor(tagName = "DIV") {
    this.tagName = tagName;
    this.isContentEditable = false;
    this.blurred = false;
  }

  blur() {
    this.blurred = true;
  }
}

const BODY = new TestElement("BODY");
Object.assign(globalThis, { HTMLElement: TestElement, document: { body: BODY } });

/** @type {string[]} */
let calls;
beforeEach(() => {
  calls = [];
});

const CRITERION = { id: "CQ1", levels: [{ id: "YES", key: "y" }] };

/** @param {{ isConnected?: boolean, criterion?: unknown }} settings */
function padOf({ isConnected = true, criterion = CRITERION } = {}) {
  return {
    root: { isConnected },
    criterion,
    focus: 3,
    info: false,
    transcript: { scrollTop: 0, clientHeight: 100 },
    save: () => calls.push("save"),
    setLabel: (/** @type {any} */ of, /** @type {string | null} */ label) => calls.push(`${of.id} ${label}`),
    setFocus: (/** @type {number} */ index) => calls.push(`focus ${index}`),
    moveMessage: (/** @type {number} */ step) => calls.push(`message ${step}`),
    paint: () => calls.push("paint"),
  };
}

/**
 * Whether the key was taken.
 * @param {string} key
 * @param {Record<string, unknown>} held
 * @param {TestElement} target
 * @param {ReturnType<typeof padOf>} pad
 */
function press(key, held = {}, target = BODY, pad = padOf()) {
  let taken = false;
  const event = { key, composedPath: () => [target], preventDefault: () => (taken = true), ...held };
  onPadKey(
    /** @type {LeadPad} */ (/** @type {unknown} */ (pad)),
    /** @type {KeyboardEvent} */ (/** @type {unknown} */ (event)),
  );
  return taken;
}

test("a label's own key sets it, in either case", () => {
  assert.ok(press("y"));
  assert.ok(press("Y"));
  assert.deepEqual(calls, ["CQ1 YES", "CQ1 YES"]);
});

test("a key held down labels once", () => {
  assert.ok(press("y", { repeat: true }));
  assert.deepEqual(calls, []);
});

test("the key of no label of this criterion is left to the page", () => {
  assert.ok(!press("n"));
  assert.deepEqual(calls, []);
});

test("arrows go to the criterion beside", () => {
  press("ArrowDown");
  press("ArrowUp");
  assert.deepEqual(calls, ["focus 4", "focus 2"]);
});

test("Backspace takes the label away", () => {
  press("Backspace");
  assert.deepEqual(calls, ["CQ1 null"]);
});

test("Ctrl+Enter saves, in a field too, and held down once", () => {
  press("Enter", { ctrlKey: true });
  press("Enter", { metaKey: true }, new TestElement("TEXTAREA"));
  press("Enter", { ctrlKey: true, repeat: true });
  assert.deepEqual(calls, ["save", "save"]);
});

test("Enter alone saves nothing", () => {
  assert.ok(!press("Enter"));
  assert.deepEqual(calls, []);
});

test("nothing works while typing, and Esc leaves the field", () => {
  const field = new TestElement("INPUT");
  for (const key of ["y", "Backspace", "ArrowDown", "i"]) assert.ok(!press(key, {}, field));
  press("Escape", {}, field);
  assert.deepEqual([calls, field.blurred], [[], true]);
});

test("a key with Ctrl or Alt is the browser's", () => {
  for (const held of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }]) assert.ok(!press("y", held));
  assert.deepEqual(calls, []);
});

test("arrows of something outside the pad stay there", () => {
  assert.ok(!press("ArrowDown", {}, new TestElement("BUTTON")));
  assert.deepEqual(calls, []);
});

test("I opens the anchors, brackets go through the messages", () => {
  for (const key of ["i", "[", "]"]) press(key);
  assert.deepEqual(calls, ["paint", "message -1", "message 1"]);
});

test("Page Down and Page Up scroll the conversation", () => {
  const pad = padOf();
  press("PageDown", {}, BODY, pad);
  assert.equal(pad.transcript.scrollTop, 90);
  press("PageUp", {}, BODY, pad);
  assert.equal(pad.transcript.scrollTop, 0);
});

test("a pad that is gone, or without a criterion, does nothing", () => {
  press("y", {}, BODY, padOf({ isConnected: false }));
  press("y", {}, BODY, padOf({ criterion: null }));
  press("Backspace", {}, BODY, padOf({ criterion: null }));
  assert.deepEqual(calls, []);
});

/** @param {string} label */
function kept(label, expert = "Dr Gold") {
  return { key: "demo 1 7", labels: { CQ1: label }, expert, reason: "" };
}

test("what was not sent is found by whoever comes back, whatever was kept since", () => {
  const entries = new Entries();
  entries.open(kept("YES")).labels.CQ1 = "NO";
  assert.deepEqual(entries.open(kept("NA")).labels, { CQ1: "NO" });
  assert.deepEqual(entries.find("demo 1 7").labels, { CQ1: "NO" });
});

test("what was sent, or only looked at, gives way to what somebody else made of it", () => {
  const entries = new Entries();
  const entry = entries.open(kept("YES"));
  assert.deepEqual(entries.open(kept("NA", "Dr Silver")).expert, "Dr Silver");
  entries.find("demo 1 7").labels.CQ1 = "NO";
  entries.noteKept("demo 1 7", JSON.stringify(entries.find("demo 1 7")));
  assert.deepEqual(entries.open(kept("NA")).labels, { CQ1: "NA" });
  assert.deepEqual(entry.labels, { CQ1: "YES" });
});

test("what was entered while it was on its way is not taken for kept", () => {
  const entries = new Entries();
  const entry = entries.open(kept("YES"));
  const sent = JSON.stringify(entry);
  entry.reason = "It holds.";
  entries.noteKept("demo 1 7", sent);
  assert.equal(entries.open(kept("YES")).reason, "It holds.");
});

/** A pad without its drawing, and what it sends. */
function receivingPad() {
  /** @type {{ id: string, labels: Record<string, string> }[]} */
  const sent = [];
  const root = new TestElement();
  const place = Object.assign(new TestElement(), { setAttribute: () => {}, textContent: "", hidden: false });
  Object.assign(root, {
    querySelector: () => place,
    getBoundingClientRect: () => ({ top: 0 }),
    style: {},
  });
  const pad = Object.assign(Object.create(LeadPad.prototype), {
    root,
    key: "",
    sent: "",
    sentEntry: "",
    paint: () => {},
    tell: (/** @type {string} */ words, /** @type {boolean} */ trouble) => calls.push(`${words} ${trouble}`),
  });
  /** @param {{ key: string, labels: Record<string, string>, receipt?: unknown }} data */
  const receive = ({ key, labels, receipt = null }) =>
    pad.receive({
      data: {
        key,
        labels,
        expert: "Dr Gold",
        reason: "",
        receipt,
        criteria: [{ ...CRITERION, forced: null, asked_when: {} }],
        saves: true,
      },
      setTriggerValue: (/** @type {string} */ _, /** @type {any} */ value) => sent.push(value),
    });
  return { pad, receive, sent };
}

for (const [trouble, after] of /** @type {[boolean, string][]} */ ([
  [true, "NO"],
  [false, "NA"],
])) {
  test(`what could ${trouble ? "not " : ""}be saved ${trouble ? "waits" : "gives way"} when somebody comes back`, () => {
    Object.assign(globalThis, { window: { scrollY: 0, innerHeight: 800 } });
    Object.assign(document, {
      querySelector: () => null,
      documentElement: { style: { getPropertyValue: () => "" } },
    });
    const { pad, receive, sent } = receivingPad();
    const key = `demo 1 ${trouble}`;
    receive({ key, labels: { CQ1: "YES" } });
    pad.entry.labels.CQ1 = "NO";
    pad.save();
    receive({ key, labels: { CQ1: "YES" }, receipt: { id: sent[0]?.id, words: "told", trouble } });
    assert.deepEqual([sent.length, calls.at(-1), pad.sent], [1, `told ${trouble}`, ""]);
    receive({ key: "another", labels: {} });
    receive({ key, labels: { CQ1: "NA" } });
    assert.equal(pad.entry.labels.CQ1, after);
  });
}
