// The top bar: one entry of history for one thing done, what the browser remembers, the letters after G, and the
// search for a study.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { keepOneEntry } from "../../pages/widgets/bar/history.js";
import { Letters } from "../../pages/widgets/bar/letters.js";
import { keepName } from "../../pages/widgets/bar/memory.js";
import { fitCharts, freeCharts } from "../../pages/widgets/bar/paper.js";
import { matching } from "../../pages/widgets/bar/study_search.js";
import { ofThisComputer } from "../../pages/widgets/rater_table/rater_table.js";

// ---- history ----

/** A window with a history that lists its entries. */
class TestWindow extends EventTarget {
  constructor() {
    super();
    this.entries = ["first"];
    this.history = {
      pushState: (/** @type {unknown} */ _state, /** @type {string} */ _, /** @type {any} */ address) => {
        this.entries.push(address);
      },
      replaceState: (/** @type {unknown} */ _state, /** @type {string} */ _, /** @type {any} */ address) => {
        this.entries.splice(-1, 1, address);
      },
    };
  }

  /** @param {string[]} addresses that a page writes */
  write(...addresses) {
    for (const address of addresses) this.history.pushState({}, "", address);
  }

  /** @param {string} kind */
  act(kind) {
    this.dispatchEvent(new Event(kind));
  }
}

/** @returns {TestWindow} */
function watched() {
  const view = new TestWindow();
  keepOneEntry(/** @type {any} */ (view));
  return view;
}

test("what a page writes while nobody does anything adds nothing", () => {
  const view = watched();
  view.write("?study=a", "?study=a&reader=1");
  assert.deepEqual(view.entries, ["?study=a&reader=1"]);
});

for (const kind of ["pointerdown", "keydown"]) {
  test(`one ${kind} makes one entry, whatever it makes the page write`, () => {
    const view = watched();
    view.act(kind);
    view.write("review?study=a", "drift?study=a", "drift?study=a&reader=1");
    assert.deepEqual(view.entries, ["first", "drift?study=a&reader=1"]);
  });
}

test("two things done make two entries, and one that leads nowhere none", () => {
  const view = watched();
  view.act("pointerdown");
  view.write("a");
  view.act("keydown");
  view.act("keydown");
  view.write("b");
  view.act("keydown");
  assert.deepEqual(view.entries, ["first", "a", "b"]);
});

test("the history is watched once, however often the bar is drawn", () => {
  const view = watched();
  keepOneEntry(/** @type {any} */ (view));
  view.act("pointerdown");
  view.write("a", "b");
  assert.deepEqual(view.entries, ["first", "b"]);
});

// ---- memory ----

/** A tab of a browser with one jar of cookies. `forbidden`: its storage throws. */
function tab(forbidden = false) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  /** @type {string[]} */
  const written = [];
  const refuse = () => {
    throw new Error("forbidden");
  };
  return {
    written,
    document: {
      get cookie() {
        return "";
      },
      set cookie(text) {
        written.push(text);
      },
    },
    sessionStorage: forbidden
      ? { getItem: refuse, setItem: refuse }
      : {
          getItem: (/** @type {string} */ name) => texts.get(name) ?? null,
          setItem: (/** @type {string} */ name, /** @type {string} */ text) => void texts.set(name, text),
        },
  };
}

test("a change is kept once, for this site alone and all of its pages", () => {
  const view = tab();
  keepName(view, "%7B%22name%22", 1);
  keepName(view, "%7B%22name%22", 1);
  assert.deepEqual(view.written, ["second_reader=%7B%22name%22; path=/; SameSite=Strict; max-age=2592000"]);
});

test("what was only read is not written, so that a newer name of another tab stays", () => {
  const view = tab();
  keepName(view, "Ann", 0);
  assert.deepEqual(view.written, []);
});

test("nobody is an empty cookie that ends at once", () => {
  const view = tab();
  keepName(view, "Ann", 1);
  keepName(view, "", 2);
  assert.equal(view.written.length, 2);
  assert.match(view.written[1] ?? "", /^second_reader=; .*max-age=0$/);
});

test("where the tab keeps nothing the cookie is written all the same", () => {
  const view = tab(true);
  keepName(view, "Ann", 1);
  keepName(view, "Ann", 1);
  assert.equal(view.written.length, 2);
});

for (const value of ["Ann; path=/x", "Ann\nx", "Ann, Ben", "a b", "a=b", '"Ann"']) {
  test(`${JSON.stringify(value)} is no value of a cookie`, () => {
    const view = tab();
    keepName(view, value, 1);
    assert.deepEqual(view.written, []);
  });
}

// ---- letters ----

class TestElement {
  /** @param {string} tagName */
  constructor(tagName = "BODY", isContentEditable = false) {
    this.tagName = tagName;
    this.isContentEditable = isContentEditable;
  }
}
const keyboard = new EventTarget();
Object.assign(globalThis, { HTMLElement: TestElement, window: keyboard });

/** @type {string[]} */
let opened;
/** @type {Letters} */
let letters;
let time = 0;

beforeEach(() => {
  letters?.stop();
  opened = [];
  letters = new Letters(
    (letter) => {
      if (letter === "x") return false;
      opened.push(letter);
      return true;
    },
    () => opened.push("search") > 0,
  );
  letters.allow(true);
  time += 60_000;
});

/**
 * Press a key some milliseconds after the last one.
 * @param {string} key
 * @param {Record<string, unknown>} settings
 */
function press(key, { after = 100, target = new TestElement(), ...settings } = {}) {
  time += Number(after);
  let isStopped = false;
  const event = Object.assign(new Event("keydown", { cancelable: true }), {
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    isComposing: false,
    repeat: false,
    ...settings,
  });
  Object.defineProperty(event, "timeStamp", { value: time });
  event.composedPath = () => [/** @type {any} */ (target)];
  event.stopImmediatePropagation = () => {
    isStopped = true;
  };
  keyboard.dispatchEvent(event);
  return { isStopped, isPrevented: event.defaultPrevented };
}

test("G and a letter open a page, and the letter reaches nothing else", () => {
  assert.deepEqual(press("g"), { isStopped: false, isPrevented: false });
  assert.deepEqual(press("a"), { isStopped: true, isPrevented: true });
  assert.deepEqual(press("d"), { isStopped: false, isPrevented: false });
  assert.deepEqual(opened, ["a"]);
  press("G", { shiftKey: true });
  press("Shift");
  press("D");
  assert.deepEqual(opened, ["a", "d"]);
});

test("a letter that no page has goes on to the page", () => {
  press("g");
  assert.deepEqual(press("x"), { isStopped: false, isPrevented: false });
  press("a");
  assert.deepEqual(opened, []);
});

test("too late is a letter of its own", () => {
  press("g");
  press("a", { after: 1600 });
  assert.deepEqual(opened, []);
});

for (const target of [
  ...["INPUT", "TEXTAREA", "SELECT"].map((name) => new TestElement(name)),
  new TestElement("DIV", true),
]) {
  test(`who types in ${target.tagName} goes nowhere, nor who began outside of it`, () => {
    press("g", { target });
    press("a", { target });
    press("g");
    press("a", { target });
    press("a");
    assert.deepEqual(opened, []);
  });
}

test("nor with Ctrl, Cmd or Alt, nor while a character is being composed", () => {
  for (const modifier of ["ctrlKey", "metaKey", "altKey", "isComposing"]) {
    press("g", { [modifier]: true });
    press("a");
    press("g");
    press("a", { [modifier]: true });
  }
  assert.deepEqual(opened, []);
});

test("nor where letters are labels, also where G was pressed before", () => {
  press("g");
  letters.allow(false);
  assert.deepEqual(press("a"), { isStopped: false, isPrevented: false });
  press("g");
  press("a");
  letters.allow(true);
  press("a");
  assert.deepEqual(opened, []);
});

test("? asks for help, alone and not while typing or where letters are labels", () => {
  press("?", { shiftKey: true });
  press("?", { target: new TestElement("INPUT") });
  press("?", { ctrlKey: true });
  press("?", { repeat: true });
  letters.allow(false);
  press("?");
  assert.deepEqual(opened, ["?"]);
});

test("/ opens the search on every page, alone and not while typing or behind a window", () => {
  assert.deepEqual(press("/"), { isStopped: true, isPrevented: true });
  letters.allow(false);
  press("/", { shiftKey: true });
  press("/", { target: new TestElement("INPUT") });
  press("/", { target: new TestElement("DIALOG") });
  press("/", { ctrlKey: true });
  press("/", { repeat: true });
  assert.deepEqual(opened, ["search", "search"]);
});

// ---- search ----

const STUDIES = ["Lend an Ear", "VERA-MH", "Étude du café", "Coaching rubric, demonstration"].map((text) => ({
  text,
}));

test("a study is found by the words of its title in any order, without capitals and accents", () => {
  const titles = (/** @type {string} */ words) => matching(STUDIES, words).map(({ text }) => text);
  assert.equal(titles("").length, 4);
  assert.deepEqual(titles("  demo COACH "), ["Coaching rubric, demonstration"]);
  assert.deepEqual(titles("etude cafe"), ["Étude du café"]);
  assert.deepEqual(titles("ear vera"), []);
  assert.deepEqual(titles(".*"), []);
});

// ---- paper ----

test("a chart is scaled to the paper while the page is printed, and only then", () => {
  /** @type {Map<string, string>} */
  const attributes = new Map([
    ["width", "1240"],
    ["height", "330"],
  ]);
  const style = new Map();
  const svg = {
    getAttribute: (/** @type {string} */ name) => attributes.get(name) ?? null,
    setAttribute: (/** @type {string} */ name, /** @type {string} */ value) => attributes.set(name, value),
    removeAttribute: (/** @type {string} */ name) => attributes.delete(name),
    parentElement: {
      style: {
        setProperty: (/** @type {string} */ name, /** @type {string} */ value) => style.set(name, value),
      },
    },
  };
  const page = /** @type {any} */ ({ querySelectorAll: () => [svg] });
  fitCharts(page);
  assert.equal(attributes.get("viewBox"), "0 0 1240 330");
  assert.equal(style.get("--of-chart"), "1240 / 330");
  freeCharts(page);
  assert.equal(attributes.has("viewBox"), false);
});

test("links of this computer alone are said to be such", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    assert.match(ofThisComputer(host), /only on this computer/);
  for (const host of ["ward.example.org", "10.0.0.5", "localhost.example.org"])
    assert.equal(ofThisComputer(host), "");
});
