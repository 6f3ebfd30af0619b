// The keyboard: what each key of the key sheet does, and when no key does anything. A key or a click that comes twice.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { KEY_GROUPS, onKey } from "../../pages/widgets/workbench/keys.js";
import { LastClick } from "../../pages/widgets/scripts/last_click.js";
import { LastPress } from "../../pages/widgets/workbench/last_press.js";

/** @import { Workbench } from "../../pages/widgets/workbench/app.js" */

/** An element as far as the keyboard looks at it. `row`: it lies in the row of a criterion. */
class TestElement {
  /** @param {{ tagName?: string, isContentEditable?: boolean, row?: boolean }} settings */
  constructor({ tagName = "DIV", isContentEditable = false, row = false } = {}) {
    this.tagName = tagName;
    this.isContentEditable = isContentEditable;
    this.row = row;
    this.blurred = false;
  }

  blur() {
    this.blurred = true;
  }
}
class TestButton extends TestElement {}

const BODY = new TestElement({ tagName: "BODY" });
Object.assign(globalThis, {
  HTMLElement: TestElement,
  HTMLButtonElement: TestButton,
  document: { body: BODY },
});

/** @type {string[]} */
let calls;

beforeEach(() => {
  calls = [];
});

/**
 * A part of the workbench that notes what is called on it.
 * @param {string} name
 * @param {Record<string, unknown>} answers what is returned by its methods, true where nothing is named
 */
function recorder(name, answers = {}) {
  /** @param {string | symbol} method */
  const called =
    (method) =>
    (/** @type {unknown[]} */ ...given) => {
      if (String(method) in answers) return answers[String(method)];
      calls.push(`${name}.${String(method)}(${given.map((value) => JSON.stringify(value)).join(", ")})`);
      return true;
    };
  return new Proxy({}, { get: (_, method) => called(method) });
}

const YES_NO = [
  { id: "YES", key: "y" },
  { id: "NO", key: "n" },
];

/**
 * A workbench of three criteria with the second in focus.
 * @param {Record<string, unknown>} changes
 * @param {{ sheet?: boolean, note?: boolean }} open which small window is open
 */
function workbench(changes = {}, { sheet = false, note = false } = {}) {
  const criteria = ["warm", "safe", "deep"].map((id) => ({
    id,
    levels: YES_NO,
  }));
  const base = recorder("app");
  const state = {
    data: {
      unit: { id: 1 },
      criteria,
      reasoning_words: {
        supported: { key: "s" },
        partly: { key: "p" },
        unsupported: { key: "u" },
        contradicted: { key: "t" },
      },
    },
    root: {
      isConnected: true,
      contains: (/** @type {unknown} */ element) => element !== OUTSIDE,
      getRootNode: () => ({}),
    },
    rows: { scrollTop: 0 },
    transcript: { querySelectorAll: () => [], querySelector: () => null },
    messages: [{}, {}, {}],
    cursor: 1,
    focus: 1,
    judge: 0,
    lastPress: new LastPress(),
    mode: null,
    metricsOpen: false,
    criterion: () => criteria[1],
    focusIsRow: (/** @type {TestElement} */ button) => button.row,
    answers: recorder("answers", { criterionMeant: criteria[1] }),
    comparison: recorder("comparison"),
    leadNote: recorder("leadNote", { isOpen: note }),
    notes: recorder("notes"),
    units: recorder("units"),
    windows: recorder("windows", {
      isOpen: sheet || note,
      ...(sheet || note ? {} : { close: false }),
    }),
    ...changes,
  };
  const get = (/** @type {any} */ target, /** @type {string} */ name) =>
    name in target ? target[name] : Reflect.get(base, name);
  return /** @type {Workbench} */ (/** @type {unknown} */ (new Proxy(state, { get })));
}

const OUTSIDE = new TestElement({ tagName: "A" });

/**
 * Presses a key; returns what was called, and whether the browser's own action was kept back.
 * @param {string} key
 * @param {Omit<Partial<KeyboardEvent>, "target"> & { target?: TestElement }} settings
 * @param {Workbench} app
 */
function press(key, { target = BODY, ...modifiers } = {}, app = workbench()) {
  let isPrevented = false;
  const event = {
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    isComposing: false,
    repeat: false,
    ...modifiers,
  };
  const methods = {
    composedPath: () => [target],
    preventDefault: () => (isPrevented = true),
  };
  onKey(app, /** @type {KeyboardEvent} */ (/** @type {unknown} */ ({ ...event, ...methods })));
  return { calls: calls.splice(0), isPrevented };
}

/**
 * What each line of the key sheet promises: key, call, and the state in which it is pressed.
 * @type {Record<string, [string, string[], Record<string, unknown>?][]>}
 */
const PROMISED = {
  "label's own key": [
    ["y", ["answers.moveOnNow()", 'answers.labelKey("YES")']],
    ["N", ["answers.moveOnNow()", 'answers.labelKey("NO")']],
    ["n", ['answers.labelKey("NO")'], { mode: "also" }],
  ],
  "↑ ↓": [
    ["ArrowUp", ["answers.moveOnNow()", "answers.setFocus(0)"]],
    ["ArrowDown", ["answers.moveOnNow()", "answers.setFocus(2)"]],
  ],
  Backspace: [["Backspace", ["answers.undo()"]]],
  "Ctrl+Enter": [["Ctrl+Enter", ["units.commit(false)"]]],
  "J  K": [
    ["j", ["units.step(1)"]],
    ["k", ["units.step(-1)"]],
  ],
  Q: [["q", ["units.skip()"]]],
  "[  ]": [
    ["[", []],
    ["]", []],
  ],
  M: [["m", ["windows.askTurn()"]]],
  "Page Up, Page Down": [
    ["PageUp", ["app.scroll(-0.9)"]],
    ["PageDown", ["app.scroll(0.9)"]],
  ],
  E: [["e", ["notes.takeEvidence()"]]],
  O: [["o", ["notes.open()"]]],
  "E, O, F after a label": [
    ["e", ["notes.takeEvidence()"], { labelled: "warm" }],
    ["o", ["notes.open()"], { labelled: "warm" }],
    ["f", ["answers.nextConfidence()"], { labelled: "warm" }],
  ],
  F: [["f", ["answers.nextConfidence()"]]],
  D: [
    ["d", ['answers.setMode("also")']],
    ["d", ["answers.setMode(null)"], { mode: "also" }],
  ],
  X: [
    ["x", ["answers.moveOnNow()", 'answers.setMode("cannot")']],
    ["3", ["answers.pickCannotNumber(3)"], { mode: "cannot" }],
  ],
  I: [["i", ["app.toggleInfo()"]]],
  Enter: [["Enter", ["comparison.enter()"]]],
  G: [["g", ['answers.setMode("change")']]],
  "S  P  U  T": [
    ["s", ['comparison.reasoningKey("supported")']],
    ["p", ['comparison.reasoningKey("partly")']],
    ["u", ['comparison.reasoningKey("unsupported")']],
    ["t", ['comparison.reasoningKey("contradicted")']],
  ],
  L: [["l", ["comparison.nextCited()"]]],
  W: [["w", ["app.toggleMetrics()"]]],
  H: [["h", ["leadNote.open()"]]],
  "← →": [
    ["ArrowLeft", ["comparison.setJudge(-1)"]],
    ["ArrowRight", ["comparison.setJudge(1)"]],
  ],
  V: [["v", ["app.toggleSide()"]]],
  Esc: [["Escape", ["answers.setMode(null)"]]],
  "?": [["?", ["windows.openKeys()"]]],
};

const SHEET = KEY_GROUPS.flatMap(({ keys }) => keys);

test("every line of the key sheet is tried here", () => {
  assert.deepEqual(Object.keys(PROMISED).sort(), SHEET.map(([keys]) => keys).sort());
});

for (const [line, what] of SHEET) {
  for (const [key, expected, state] of PROMISED[line] ?? []) {
    test(`${key} (${line}: ${what})${state ? ` with ${JSON.stringify(state)}` : ""}`, () => {
      const [name, ctrlKey] = key.startsWith("Ctrl+") ? [key.slice(5), true] : [key, false];
      assert.deepEqual(press(name, { ctrlKey }, workbench(state)).calls, expected);
    });
  }
}

test("[ and ] move the cursor over the messages, and stay at the ends", () => {
  const app = workbench();
  const places = ["[", "[", "]", "]", "]"].map((key) => [press(key, {}, app).isPrevented, app.cursor]);
  assert.deepEqual(places, [
    [true, 0],
    [true, 0],
    [true, 1],
    [true, 2],
    [true, 2],
  ]);
});

// ---- what belongs to the browser ----

test("a key of the workbench is kept from the browser, any other is left to it", () => {
  assert.equal(press("j").isPrevented, true);
  for (const key of ["c", "r", "b", "7", "F5", "Tab", "Home", " "]) {
    assert.deepEqual(press(key), { calls: [], isPrevented: false }, key);
  }
});

for (const modifier of ["ctrlKey", "metaKey", "altKey"]) {
  test(`with ${modifier} every key but Enter stays the browser's`, () => {
    for (const key of ["y", "n", "j", "e", "o", "w", "?", "Backspace", "ArrowDown", "PageDown"]) {
      assert.deepEqual(press(key, { [modifier]: true }), { calls: [], isPrevented: false }, key);
    }
  });
}

test("Cmd+Enter commits as Ctrl+Enter does, Alt+Enter does not", () => {
  assert.deepEqual(press("Enter", { metaKey: true }), {
    calls: ["units.commit(false)"],
    isPrevented: true,
  });
  assert.deepEqual(press("Enter", { altKey: true }), {
    calls: [],
    isPrevented: false,
  });
});

// ---- while writing ----

const FIELDS = [
  ...["INPUT", "TEXTAREA", "SELECT"].map((tagName) => ({ tagName })),
  { tagName: "DIV", isContentEditable: true },
];

for (const field of FIELDS) {
  test(`in ${JSON.stringify(field)} keys write, Ctrl+Enter commits and Escape leaves`, () => {
    const target = new TestElement(field);
    for (const key of ["y", "n", "e", "o", "?", "Enter", "Backspace", "ArrowUp", "Home", " "]) {
      assert.deepEqual(press(key, { target }), { calls: [], isPrevented: false }, key);
    }
    assert.deepEqual(press("Enter", { target, ctrlKey: true }).calls, ["units.commit(true)"]);
    assert.equal(target.blurred, false);
    assert.deepEqual(press("Escape", { target }).calls, ["answers.setMode(null)"]);
    assert.equal(target.blurred, true);
  });
}

test("no key does anything while a character is being composed", () => {
  for (const key of ["y", "Enter", "Escape", "Process"]) {
    assert.deepEqual(press(key, { isComposing: true }), { calls: [], isPrevented: false }, key);
  }
  assert.deepEqual(press("Enter", { isComposing: true, ctrlKey: true }).calls, []);
});

// ---- held keys ----

test("a label's key that is held labels once and does nothing more, also not in the browser", () => {
  assert.deepEqual(press("y", { repeat: true }), {
    calls: [],
    isPrevented: true,
  });
});

test("arrows that are held go on", () => {
  assert.deepEqual(press("ArrowDown", { repeat: true }).calls, [
    "answers.moveOnNow()",
    "answers.setFocus(2)",
  ]);
});

// ---- focus ----

test("the same label's key again within a moment labels nothing, and the page says so", () => {
  const said = 'app.say("Y was pressed twice and is taken once.")';
  const app = workbench({ lastPress: new LastPress() });
  assert.deepEqual(press("y", { timeStamp: 1000 }, app).calls, [
    "answers.moveOnNow()",
    'answers.labelKey("YES")',
  ]);
  assert.deepEqual(press("y", { timeStamp: 1149 }, app), {
    calls: [said],
    isPrevented: true,
  });
  assert.deepEqual(press("Y", { timeStamp: 1298 }, app).calls, [said], "as long as the hand trembles");
  assert.deepEqual(press("y", { timeStamp: 1448 }, app).calls, [
    "answers.moveOnNow()",
    'answers.labelKey("YES")',
  ]);
});

// A tap every 125 ms is as fast as a hand is; a switch bounces within 30.
for (const [what, change] of Object.entries({
  criterion: (/** @type {any} */ app, /** @type {number} */ place) => {
    app.answers = recorder("answers", {
      criterionMeant: { id: `criterion ${place}`, levels: YES_NO },
    });
  },
  unit: (/** @type {any} */ app, /** @type {number} */ place) => {
    app.data.unit = { id: place };
  },
})) {
  test(`the same label's key at another ${what} is meant, and not where it bounces`, () => {
    const app = workbench({ lastPress: new LastPress() });
    const taken = [1000, 1125, 1250, 1280, 1375].map((timeStamp, place) => {
      change(app, place);
      return press("y", { timeStamp }, app).calls.includes('answers.labelKey("YES")');
    });
    assert.deepEqual(taken, [true, true, true, false, true]);
  });
}

test("a bounce at the next question answers it as little as it spends its key", () => {
  const app = workbench({ lastPress: new LastPress() });
  const taken = [1000, 1040, 1130].map((timeStamp, place) => {
    app.data.unit.id = Math.min(place, 1);
    return press("y", { timeStamp }, app).calls.includes('answers.labelKey("YES")');
  });
  assert.deepEqual(taken, [true, false, true]);
});

test("a key that is held down labels no other question either", () => {
  const app = workbench({ lastPress: new LastPress() });
  press("y", { timeStamp: 1000 }, app);
  app.data.unit.id = 2;
  assert.deepEqual(press("y", { timeStamp: 1500, repeat: true }, app).calls, []);
});

test("another label's key is taken at once", () => {
  const app = workbench({ lastPress: new LastPress() });
  press("y", { timeStamp: 1000 }, app);
  assert.deepEqual(press("n", { timeStamp: 1010 }, app).calls, [
    "answers.moveOnNow()",
    'answers.labelKey("NO")',
  ]);
});

test("the same label's key after another key is meant, however soon", () => {
  const app = workbench({ lastPress: new LastPress() });
  press("y", { timeStamp: 1000 }, app);
  press("ArrowDown", { timeStamp: 1060 }, app);
  assert.deepEqual(press("y", { timeStamp: 1120 }, app).calls, [
    "answers.moveOnNow()",
    'answers.labelKey("YES")',
  ]);
});

test("the number of a reason that comes again labels nothing, where it is a label's key too", () => {
  const levels = [{ id: "1", key: "1" }];
  const app = workbench({
    lastPress: new LastPress(),
    criterion: () => ({ id: "warm", levels }),
    data: {
      unit: { id: 1 },
      criteria: [{ id: "warm", levels }],
      reasoning_words: {},
    },
    answers: recorder("answers", { criterionMeant: { id: "warm", levels } }),
    mode: "cannot",
  });
  assert.deepEqual(press("1", { timeStamp: 1000 }, app).calls, ["answers.pickCannotNumber(1)"]);
  app.mode = null;
  assert.deepEqual(press("1", { timeStamp: 1040 }, app).calls, [
    'app.say("1 was pressed twice and is taken once.")',
  ]);
  assert.equal(press("1", { timeStamp: 1240 }, app).calls.length, 2);
});

test("a label's key that is held down labels nothing more, nor does its bounce when it is let go", () => {
  const app = workbench({ lastPress: new LastPress() });
  press("y", { timeStamp: 1000 }, app);
  for (const timeStamp of [1500, 1530, 1560])
    assert.deepEqual(press("y", { timeStamp, repeat: true }, app), {
      calls: [],
      isPrevented: true,
    });
  assert.equal(press("y", { timeStamp: 1600 }, app).calls.length, 1);
});

test("a label's key that is still held types nothing into the box that it opened", () => {
  const app = workbench({ mode: "change" });
  const box = new TestElement({ tagName: "TEXTAREA" });
  press("n", { timeStamp: 1000 }, app);
  assert.deepEqual(press("n", { target: box, repeat: true }, app), {
    calls: [],
    isPrevented: true,
  });
  assert.equal(press("m", { target: box, repeat: true }, app).isPrevented, false, "another key");
  assert.equal(press("n", { target: box }, app).isPrevented, false, "let go, and pressed in the box");
  assert.equal(press("n", { target: box, repeat: true }, app).isPrevented, false, "and held there");
});

test("Enter twice at once keeps one difference", () => {
  const app = workbench({ lastPress: new LastPress() });
  assert.deepEqual(press("Enter", { timeStamp: 1000 }, app).calls, ["comparison.enter()"]);
  assert.deepEqual(press("Enter", { timeStamp: 1100 }, app).calls, [
    'app.say("Enter was pressed twice and is taken once.")',
  ]);
});

test("D twice at once, or held, stays on: the next label is meant beside the first", () => {
  const app = workbench({ lastPress: new LastPress() });
  assert.deepEqual(press("d", { timeStamp: 1000 }, app).calls, ['answers.setMode("also")']);
  assert.deepEqual(press("d", { timeStamp: 1040 }, app).calls, [
    'app.say("D was pressed twice and is taken once.")',
  ]);
  assert.deepEqual(press("d", { timeStamp: 1540, repeat: true }, app), {
    calls: [],
    isPrevented: true,
  });
});

test("Enter that is held down keeps nothing that was not read", () => {
  assert.deepEqual(press("Enter", { repeat: true }), {
    calls: [],
    isPrevented: true,
  });
});

test("outside the workbench Enter, Space and the arrows belong to what has the focus", () => {
  for (const key of ["Enter", " ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
    assert.deepEqual(press(key, { target: OUTSIDE }), { calls: [], isPrevented: false }, key);
  }
  assert.deepEqual(press("j", { target: OUTSIDE }).calls, ["units.step(1)"]);
});

test("on a button Space and Enter press it, but Enter on a criterion's own button keeps the label", () => {
  const button = new TestButton({ tagName: "BUTTON" });
  for (const key of [" ", "Enter"])
    assert.deepEqual(press(key, { target: button }), { calls: [], isPrevented: false }, key);
  const row = new TestButton({ tagName: "BUTTON", row: true });
  assert.deepEqual(press(" ", { target: row }).calls, []);
  assert.deepEqual(press("Enter", { target: row }).calls, ["comparison.enter()"]);
  assert.deepEqual(press("y", { target: button }).calls, ["answers.moveOnNow()", 'answers.labelKey("YES")']);
});

// ---- small windows, metrics, changing ----

test("over an open window no key reaches the rating; Ctrl+Enter and Escape are the window's", () => {
  for (const key of ["y", "j", "?", "Enter", "ArrowDown"])
    assert.deepEqual(press(key, {}, workbench({}, { sheet: true })).calls, [], key);
  assert.deepEqual(press("Enter", { ctrlKey: true }, workbench({}, { sheet: true })).calls, []);
  assert.deepEqual(press("Enter", { ctrlKey: true }, workbench({}, { note: true })).calls, [
    "leadNote.send()",
  ]);
  assert.deepEqual(press("Escape", {}, workbench({}, { sheet: true })).calls, ["windows.close()"]);
});

test("on the metrics no label can be given, and the page says so", () => {
  const calledWith = (/** @type {string} */ key) => press(key, {}, workbench({ metricsOpen: true })).calls;
  for (const key of ["y", "e", "Backspace", "g"]) {
    assert.deepEqual(
      calledWith(key),
      key === "Backspace" ? [] : ['app.say("These are the metrics. Press W to go back to rating.")'],
      key,
    );
  }
  const stillWork = {
    w: "app.toggleMetrics()",
    h: "leadNote.open()",
    j: "units.step(1)",
    k: "units.step(-1)",
    q: "units.skip()",
    m: "windows.askTurn()",
    "?": "windows.openKeys()",
    PageUp: "app.scroll(-0.9)",
    PageDown: "app.scroll(0.9)",
  };
  for (const [key, call] of Object.entries(stillWork)) assert.deepEqual(calledWith(key), [call]);
  assert.deepEqual(calledWith("Escape"), ["app.toggleMetrics(false)"]);
  const app = workbench({ metricsOpen: true });
  press("ArrowDown", {}, app);
  press("ArrowDown", {}, app);
  press("ArrowUp", {}, app);
  assert.equal(app.rows.scrollTop, 60);
});

test("Ctrl+Enter closes the metrics first, and saves the change where one is open", () => {
  const onMetrics = press("Enter", { ctrlKey: true }, workbench({ metricsOpen: true }));
  assert.deepEqual(onMetrics.calls, ["app.toggleMetrics(false)", "units.commit(false)"]);
  const changing = press("Enter", { ctrlKey: true }, workbench({ mode: "change" }));
  assert.deepEqual(
    changing.calls.map((call) => call.split("(")[0]),
    ["comparison.saveChange"],
  );
});

test("no key does anything before the server has said anything, or once the workbench is gone", () => {
  assert.deepEqual(press("j", {}, workbench({ data: null })).calls, []);
  assert.deepEqual(press("j", {}, workbench({ root: { isConnected: false } })).calls, []);
});

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
