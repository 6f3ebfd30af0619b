// Several tabs with one browser's storage: who takes over what a page left, told by locks.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Browser, goOn } from "./browser.js";

/** @import { Tab } from "./browser.js" */
/** @import { NewEvent } from "../../pages/widgets/workbench/outbox.js" */

const PATIENCE = 8000; // milliseconds that the page before may take to end, as in tabs.js
const LOCK = 2000;

/** @type {Browser} */
let browser;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 0 });
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
/** @type {NewEvent} */
const TOLD = { kind: "escalate", unit: 1, criterion: null, about: "risk", note: "so" };

/**
 * A page that holds its lock, and what the page before in its tab left.
 * @param {Tab} tab
 */
async function begin(tab) {
  await goOn();
  return tab;
}

/**
 * Closes a tab, and waits as long as it could come back.
 * @param {Tab} tab
 */
async function close(tab) {
  tab.close();
  await goOn();
  mock.timers.tick(PATIENCE);
  await goOn();
}

/** @param {Tab} tab */
function idsAndKinds(tab) {
  return tab.outbox.waiting.map(({ id, kind }) => [id, kind]);
}

test("after a reload what waited goes on in its order, under its ids, and is sent", async () => {
  const before = await begin(browser.open());
  for (const event of [draft("warm", "first"), draft("warm", "last"), COMMIT]) before.outbox.put(event);
  const waiting = idsAndKinds(before);
  const page = await begin(before.reload());
  assert.deepEqual(idsAndKinds(page), waiting);
  assert.ok(page.outbox.waiting.every((event) => !("late" in event)));
  assert.deepEqual(
    page.lastIds(),
    waiting.map(([id]) => id),
  );
  assert.equal(browser.texts.size, 1, "moved, not copied");
});

test("words that were still being typed at the reload get an id of their own", async () => {
  const before = await begin(browser.open());
  before.outbox.put(draft("warm", "half a sen"), true);
  const [{ id }] = before.outbox.waiting;
  const page = await begin(before.reload());
  const [event] = page.outbox.waiting;
  assert.notEqual(event.id, id);
  assert.ok(event.kind === "draft" && event.answer.note === "half a sen");
});

test("words that were sent keep their id at the reload, also where others were typed after them", async () => {
  const before = await begin(browser.open());
  before.outbox.put(draft("warm", "a sentence"), true);
  before.outbox.put(draft("safe", "another"), true);
  before.outbox.flush();
  const ids = before.lastIds();
  const page = await begin(before.reload());
  assert.equal(ids.length, 2);
  assert.deepEqual(page.lastIds(), ids);
});

test("what comes from the page before stands in front of what was done since", async () => {
  const before = await begin(browser.open());
  before.outbox.put(draft("warm"));
  const page = before.reload();
  page.outbox.put(draft("safe"));
  await goOn();
  const criteria = page.outbox.waiting.map((event) => event.kind === "draft" && event.criterion);
  assert.deepEqual(criteria, ["warm", "safe"]);
});

test("nothing is taken from a tab that lives", async () => {
  const first = await begin(browser.open());
  const second = await begin(browser.open());
  second.outbox.put(draft("warm"));
  mock.timers.tick(LOCK);
  await goOn();
  assert.equal(first.outbox.waiting.length, 0);
  assert.deepEqual(first.sent, []);
});

test("of a closed tab each answer says what the tab showed before it, in their order", async () => {
  const first = await begin(browser.open());
  const second = await begin(browser.open());
  const [saved, changed, noted] = ["YES", "NO", "NO"].map((label, place) => ({
    label,
    note: place === 2 ? "why" : "",
  }));
  const about = { kind: /** @type {const} */ ("draft"), unit: 1, criterion: "warm" };
  second.outbox.put({ ...about, answer: changed, before: saved });
  second.outbox.put({ ...about, answer: { ...changed, note: "wh" }, before: changed }, true);
  second.outbox.put({ ...about, answer: noted, before: { ...changed, note: "wh" } }, true);
  assert.deepEqual(
    second.outbox.waiting.map((event) => "before" in event && event.before),
    [saved, changed],
    "words that are still typed are one event, whose beginning counts",
  );
  mock.timers.tick(LOCK);
  await goOn();
  await close(second);
  const taken = first.outbox.waiting.map((event) => event.kind === "draft" && [event.answer, event.before]);
  assert.deepEqual(
    taken,
    [
      [changed, saved],
      [noted, changed],
    ],
    "the first may be on its way to the server, under this id",
  );
});

test("of a closed tab the answers and what was told go to one that lives, the rest stays", async () => {
  const first = await begin(browser.open());
  const second = await begin(browser.open());
  for (const event of [draft("warm", "first"), draft("safe"), draft("warm", "last"), COMMIT, TOLD])
    second.outbox.put(event);
  const [earlier, safe, warm, commit, told] = second.outbox.waiting.map(({ id }) => id);
  mock.timers.tick(LOCK);
  await goOn();
  await close(second);
  const taken = first.outbox.waiting.map((event) => [event.id, "late" in event && event.late]);
  assert.deepEqual(taken, [
    [earlier, true],
    [safe, true],
    [warm, true],
    [told, false],
  ]);
  assert.deepEqual(first.lastIds(), [earlier, safe, warm, told]);
  const left = [...browser.texts.values()].map((text) =>
    JSON.parse(text).map((/** @type {any} */ event) => event.id),
  );
  assert.deepEqual(
    left.find((ids) => ids.includes(commit)),
    [commit],
  );
});

test("two tabs that live never take the same events of a third", async () => {
  const tabs = [await begin(browser.open()), await begin(browser.open())];
  const third = await begin(browser.open());
  third.outbox.put(draft("warm"));
  const [{ id }] = third.outbox.waiting;
  mock.timers.tick(LOCK);
  await goOn();
  await close(third);
  assert.deepEqual(
    tabs.flatMap((tab) => tab.outbox.waiting.map((event) => event.id)),
    [id],
  );
});

test("a duplicated tab does not take over from the one it was copied from, until that is closed", async () => {
  const original = await begin(browser.open());
  original.outbox.put(draft("warm"));
  const [{ id }] = original.outbox.waiting;
  const copy = await begin(original.duplicate());
  mock.timers.tick(PATIENCE);
  await goOn();
  assert.equal(copy.outbox.waiting.length, 0);
  await close(original);
  assert.deepEqual(
    copy.outbox.waiting.map((event) => [event.id, "late" in event && event.late]),
    [[id, true]],
  );
});

test("two pages never write to the same place", async () => {
  const first = await begin(browser.open());
  first.outbox.put(draft("warm", "of the first"));
  const second = await begin(first.duplicate());
  second.outbox.put(draft("safe", "of the second"));
  first.outbox.put(draft("deep", "of the first"));
  assert.deepEqual(
    browser
      .stored()
      .map(({ criterion }) => criterion)
      .sort(),
    ["deep", "safe", "warm"],
  );
});

test("a page that has just begun is given time to take its lock", async () => {
  const first = await begin(browser.open());
  const name = "second-reader-outbox-store-1-just-begun";
  const second = browser.open();
  second.localStorage.setItem(name, JSON.stringify([{ ...draft("warm"), id: "00000000-1" }]));
  await goOn();
  mock.timers.tick(LOCK - 1);
  await goOn();
  assert.equal(first.outbox.waiting.length, 0);
  const end = new AbortController();
  const held = navigator.locks.request(
    name,
    () => new Promise((release) => end.signal.addEventListener("abort", release)),
  );
  await goOn();
  mock.timers.tick(1);
  await goOn();
  assert.equal(first.outbox.waiting.length, 0);
  end.abort();
  await held;
  await goOn();
  mock.timers.tick(PATIENCE);
  await goOn();
  assert.deepEqual(
    first.outbox.waiting.map(({ id }) => id),
    ["00000000-1"],
  );
});

test("without locks the page before is taken over at once, also by a duplicate, under the same ids", async () => {
  browser = new Browser({ hasLocks: false });
  const original = await begin(browser.open());
  original.outbox.put(draft("warm"));
  original.outbox.put(COMMIT);
  const copy = await begin(original.duplicate());
  assert.deepEqual(idsAndKinds(copy), idsAndKinds(original));
});

test("a page that comes back out of the browser's cache keeps and sends what waits once more", async () => {
  const page = await begin(browser.open());
  page.outbox.put(draft("warm"));
  const ids = page.lastIds();
  browser.texts.clear(); // another page took it over meanwhile
  page.sent.length = 0;
  page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  assert.deepEqual(page.lastIds(), ids);
  assert.deepEqual(
    browser.stored().map(({ id }) => id),
    ids,
  );
});

test("what waits already is not taken a second time", async () => {
  const page = await begin(browser.open());
  page.outbox.put(draft("warm"));
  const [event] = page.outbox.waiting;
  assert.deepEqual(page.outbox.take([event], false), []);
  assert.deepEqual(page.outbox.waiting, [event]);
});
