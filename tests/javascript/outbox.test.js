// The outbox alone: queue, retry, ids, acknowledgement, and storage that is full, forbidden or damaged.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Browser, goOn } from "./browser.js";

/** @import { Tab } from "./browser.js" */
/** @import { NewEvent } from "../../pages/widgets/workbench/outbox.js" */

const NOW = "2026-11-21T08:00:00Z";
const NO_ANSWER = { acked: [], refused: [], trouble: null, now: NOW, session: "first" };
const RETRY = 2500; // milliseconds, as in outbox.js
const LOUD = 2000;

/** @type {Browser} */
let browser;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.parse(NOW) });
  browser = new Browser();
});

afterEach(async () => {
  browser.close();
  await goOn(); // what ends with the pages begins no timer of the real clock
  mock.timers.reset();
});

/**
 * @param {string} criterion
 * @param {string} note
 * @returns {NewEvent}
 */
function draft(criterion, note = "") {
  return { kind: "draft", unit: 1, criterion, answer: { label: null, note } };
}

/** @type {NewEvent} */
const COMMIT = { kind: "commit", unit: 1, shown: {} };

/** @param {Tab} tab */
function kinds(tab) {
  return tab.outbox.waiting.map(({ kind }) => kind);
}

/** @param {Tab} tab */
function waitingIds(tab) {
  return tab.outbox.waiting.map(({ id }) => id);
}

// ---- queue and ids ----

test("every event is sent at once, behind those that still wait, in the order in which they were put", () => {
  const tab = browser.open();
  for (const criterion of ["warm", "safe", "deep"]) tab.outbox.put(draft(criterion));
  tab.outbox.put(COMMIT);
  assert.deepEqual(
    tab.sent.map((events) => events.length),
    [1, 2, 3, 4],
  );
  assert.deepEqual(
    tab.sent[3].map((event) => ("criterion" in event ? event.criterion : event.kind)),
    ["warm", "safe", "deep", "commit"],
  );
});

test("an event keeps its id from message to message, and no two share one", () => {
  const tab = browser.open();
  tab.outbox.put(draft("warm"));
  tab.outbox.put(draft("warm"));
  const [[first], [again, second]] = tab.sent;
  assert.equal(first.id, again.id);
  assert.notEqual(first.id, second.id);
  assert.match(first.id, /^[0-9a-f-]{36}$/);
});

test("what is typed goes out once, after a pause, with the last words", () => {
  const tab = browser.open();
  for (const note of ["s", "so", "so "]) tab.outbox.put(draft("warm", note), true);
  mock.timers.tick(699);
  assert.equal(tab.sent.length, 0);
  mock.timers.tick(1);
  assert.equal(tab.sent.length, 1);
  const [event] = tab.sent[0];
  assert.deepEqual(event, { ...draft("warm", "so "), id: event.id });
});

test("whoever types without a pause is saved every three seconds", () => {
  const tab = browser.open();
  for (let letter = 1; letter <= 7; letter += 1) {
    tab.outbox.put(draft("warm", "x".repeat(letter)), true);
    mock.timers.tick(500);
  }
  assert.deepEqual(
    tab.sent.map(([event]) => event.kind === "draft" && event.answer.note),
    ["xxxxxxx"],
  );
});

test("words that were sent are never changed under their id", () => {
  const tab = browser.open();
  tab.outbox.put(draft("warm", "so"), true);
  tab.outbox.flush();
  tab.outbox.put(draft("warm", "so much"), true);
  tab.outbox.flush();
  const [before, after] = tab.outbox.waiting;
  assert.notEqual(before.id, after.id);
  assert.deepEqual(
    tab.sent[1].map((event) => event.kind === "draft" && event.answer.note),
    ["so", "so much"],
  );
});

test("words about one criterion are not mixed with those about another", () => {
  const tab = browser.open();
  tab.outbox.put(draft("warm", "of the first"), true);
  tab.outbox.put(draft("safe", "of the second"), true);
  tab.outbox.put({ kind: "comment", unit: 1, criterion: "safe", judge: 7, text: "of a judge" }, true);
  tab.outbox.put({ kind: "comment", unit: 1, criterion: "safe", judge: 8, text: "of another" }, true);
  tab.outbox.flush();
  assert.equal(new Set(waitingIds(tab)).size, 4);
});

// ---- acknowledgement ----

test("what is acknowledged leaves the queue and the storage, and nothing else does", () => {
  const tab = browser.open();
  for (const criterion of ["warm", "safe", "deep"]) tab.outbox.put(draft(criterion));
  const [, second, third] = waitingIds(tab);
  tab.outbox.settle({ ...NO_ANSWER, acked: [waitingIds(tab)[0], "of another page"] });
  assert.deepEqual(waitingIds(tab), [second, third]);
  assert.deepEqual(
    browser.stored().map(({ id }) => id),
    [second, third],
  );
  assert.deepEqual(tab.outbox.status(), { text: "saving ..." });
  tab.outbox.settle({ ...NO_ANSWER, acked: [second, third] });
  assert.equal(browser.texts.size, 0);
  assert.match(tab.outbox.status().text, /^saved \d\d:\d\d:\d\d$/);
});

test("what is refused leaves the queue, and what the server says of it is given back", () => {
  const tab = browser.open();
  tab.outbox.put(draft("warm"));
  tab.outbox.put(draft("safe"));
  const [first, second] = waitingIds(tab);
  const refused = [
    { id: first, message: "This is committed already." },
    { id: "silent", message: "" },
  ];
  assert.deepEqual(tab.outbox.settle({ ...NO_ANSWER, refused }), [refused[0]]);
  assert.deepEqual(waitingIds(tab), [second]);
  assert.equal(tab.outbox.savedAt, null);
});

test("trouble is said, keeps everything, and is forgotten with the next answer", () => {
  const tab = browser.open();
  tab.outbox.put(draft("warm"));
  tab.outbox.settle({ ...NO_ANSWER, trouble: "The disk is full." });
  assert.deepEqual(tab.outbox.status(), { text: "NOT SAVED: The disk is full.", bad: true });
  assert.deepEqual(kinds(tab), ["draft"]);
  tab.outbox.settle({ ...NO_ANSWER, acked: waitingIds(tab) });
  assert.equal(tab.outbox.status().bad, undefined);
});

// ---- retry ----

test("what is not answered is sent again, the same events under the same ids, until it is", () => {
  const tab = browser.open();
  tab.outbox.put(draft("warm"));
  tab.outbox.put(COMMIT);
  const ids = waitingIds(tab);
  tab.sent.length = 0;
  for (let round = 1; round <= 3; round += 1) {
    mock.timers.tick(RETRY - 1);
    assert.equal(tab.sent.length, round - 1);
    mock.timers.tick(1);
    assert.equal(tab.sent.length, round);
    assert.deepEqual(tab.lastIds(), ids);
  }
  tab.outbox.settle({ ...NO_ANSWER, acked: ids, session: tab.outbox.session ?? "" });
  tab.sent.length = 0;
  mock.timers.tick(10 * RETRY);
  assert.deepEqual(tab.sent, []);
});

test("an answer that acknowledges only a part begins the wait for the rest anew", () => {
  const tab = browser.open();
  tab.outbox.settle(NO_ANSWER);
  tab.outbox.put(draft("warm"));
  tab.outbox.put(draft("safe"));
  const [first, second] = waitingIds(tab);
  mock.timers.tick(RETRY - 1);
  tab.outbox.settle({ ...NO_ANSWER, acked: [first] });
  tab.sent.length = 0;
  mock.timers.tick(RETRY - 1);
  assert.deepEqual(tab.sent, []);
  mock.timers.tick(1);
  assert.deepEqual(tab.lastIds(), [second]);
});

test("after a run of the whole page the server is asked at once, even for nothing, and only once", () => {
  const tab = browser.open();
  tab.outbox.settle(NO_ANSWER);
  tab.outbox.settle(NO_ANSWER);
  assert.deepEqual(tab.sent, [[]]);
  tab.outbox.put(draft("warm"));
  tab.sent.length = 0;
  tab.outbox.settle({ ...NO_ANSWER, session: "after a restart" });
  assert.deepEqual(tab.lastIds(), waitingIds(tab));
});

test("a server that does not answer is said after two seconds, with the count of what waits", () => {
  const tab = browser.open();
  tab.outbox.put(draft("warm"));
  const before = tab.changes;
  mock.timers.tick(LOUD);
  assert.deepEqual(tab.outbox.status(), { text: "saving ..." });
  mock.timers.tick(20);
  assert.equal(tab.changes, before + 1);
  const { text, bad } = tab.outbox.status();
  assert.ok(
    bad && text.startsWith("NOT SAVED YET: the server does not answer. 1 entry is waiting in this browser"),
    text,
  );
  tab.outbox.put(draft("safe"));
  assert.match(tab.outbox.status().text, /2 entries are waiting/);
});

test("an outbox that ended sends nothing more", () => {
  const tab = browser.open();
  tab.outbox.put(draft("warm"));
  tab.outbox.put(draft("safe", "typed"), true);
  tab.close();
  tab.sent.length = 0;
  mock.timers.tick(10 * RETRY);
  assert.deepEqual(tab.sent, []);
});

// ---- storage ----

test("what somebody says is kept in the browser, where they went is not", () => {
  const tab = browser.open();
  tab.outbox.put(draft("warm", "typed"), true);
  /** @type {NewEvent[]} */
  const events = [
    COMMIT,
    { kind: "change", unit: 1, criterion: "warm", label: "NO", reason: "so", judge: null },
    { kind: "keep", unit: 1, criterion: "warm", judges: [7] },
    { kind: "reasoning", unit: 1, criterion: "warm", judge: 7, value: "partly" },
    { kind: "comment", unit: 1, criterion: "warm", judge: 7, text: "so" },
    { kind: "escalate", unit: 1, criterion: null, about: "risk", note: "so" },
    { kind: "skip", unit: 1 },
    { kind: "go", position: 2 },
    { kind: "leave" },
  ];
  for (const event of events) tab.outbox.put(event);
  const kept = ["draft", "commit", "change", "keep", "reasoning", "comment", "escalate"];
  assert.deepEqual(
    browser.stored().map(({ kind }) => kind),
    kept,
  );
  assert.deepEqual(kinds(tab), [...kept, "skip", "go", "leave"]);
});

test("with a full storage everything is still sent, and waits in the page", () => {
  const tab = browser.open({ forbidden: ["setItem"] });
  tab.outbox.put(draft("warm"));
  tab.outbox.put(COMMIT);
  assert.equal(browser.texts.size, 0);
  assert.equal(tab.sent.length, 2);
  assert.deepEqual(kinds(tab), ["draft", "commit"]);
  mock.timers.tick(RETRY);
  assert.deepEqual(tab.lastIds(), waitingIds(tab));
});

test("what another page left stays there while the storage has no room to take it over", async () => {
  const before = browser.open();
  before.outbox.put(draft("warm"));
  before.outbox.put(COMMIT);
  const page = before.reload(["setItem"]);
  assert.deepEqual(kinds(page), []);
  await goOn();
  assert.deepEqual(kinds(page), ["draft", "commit"]);
  assert.deepEqual(
    browser.stored().map(({ kind }) => kind),
    ["draft", "commit"],
  );
});

test("where the browser forbids storage, events are queued, sent and acknowledged as ever", () => {
  const tab = browser.open({ forbidden: ["getItem", "setItem", "removeItem"] });
  tab.outbox.put(draft("warm"));
  assert.deepEqual(tab.lastIds(), waitingIds(tab));
  tab.outbox.settle({ ...NO_ANSWER, acked: waitingIds(tab) });
  assert.deepEqual(kinds(tab), []);
});

const DAMAGED = {
  "no JSON": '[{"id": "00000000-1", "kind',
  "a number": "5",
  null: "null",
  "an object": '{"id": "00000000-1"}',
  "a list of what is no event": '[null, 5, "draft", [], {}, {"id": 5}]',
};

for (const [name, text] of Object.entries(DAMAGED)) {
  test(`a page begins although the storage of another holds ${name}`, async () => {
    browser.texts.set("second-reader-outbox-store-1-left", text);
    const page = browser.open();
    page.outbox.put(draft("warm"));
    await goOn();
    assert.deepEqual(kinds(page), ["draft"]);
    assert.equal(browser.texts.get("second-reader-outbox-store-1-left"), text);
  });

  test(`a page begins although the tab remembers ${name}`, () => {
    const page = browser.open({ session: new Map([["second-reader-outbox-store-1-", text]]) });
    page.outbox.put(draft("warm"));
    assert.deepEqual(kinds(page), ["draft"]);
  });
}

test("of a damaged list the events are taken and the rest is not", async () => {
  const event = { ...draft("warm"), id: "00000000-0000-0000-0000-000000000001" };
  browser.texts.set("second-reader-outbox-store-1-left", JSON.stringify([null, event, { id: 7 }]));
  const page = browser.open();
  await goOn();
  assert.deepEqual(page.outbox.waiting, [{ ...event, late: true }]);
});

test("what another person or another store left is not touched", async () => {
  const text = JSON.stringify([{ ...draft("warm"), id: "00000000-1" }]);
  browser.texts.set("second-reader-outbox-store-2-left", text);
  const page = browser.open();
  await goOn();
  assert.deepEqual(kinds(page), []);
  assert.equal(browser.texts.get("second-reader-outbox-store-2-left"), text);
});
