// The tour: where its card stands, and what the browser remembers of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { keepLeft, wasLeft } from "../../pages/widgets/tour/memory.js";
import { placeCard } from "../../pages/widgets/tour/placing.js";
import { Tour } from "../../pages/widgets/tour/tour.js";

const CARD = { width: 320, height: 160 };

/** @import { Box } from "../../pages/widgets/tour/placing.js" */

/**
 * @param {number} left
 * @param {number} top
 * @param {number} right
 * @param {number} bottom
 */
const box = (left, top, right, bottom) => ({ left, top, right, bottom });

/**
 * @param {{ left: number, top: number }} place
 * @param {Box} other
 */
const covers = ({ left, top }, other) =>
  left < other.right && left + CARD.width > other.left && top < other.bottom && top + CARD.height > other.top;

/** What the rating page shows, as wide as the window: its name, and where it stands. */
for (const [width, pad] of /** @type {[number, Box][]} */ ([
  [1366, box(882, 92, 1346, 758)],
  [1024, box(652, 92, 1004, 758)],
])) {
  const targets = {
    "the question": box(pad.left + 10, 215, pad.right - 10, 335),
    "the button to commit": box(pad.right - 200, 718, pad.right - 10, 749),
    "the conversation": box(166, 92, pad.left - 10, 758),
    "the list": box(20, 92, 156, 758),
  };
  for (const [name, target] of Object.entries(targets))
    test(`at ${width} pixels the card at ${name} covers no label and stands in the window`, () => {
      const place = placeCard(target, CARD, { width, height: 768 }, [pad]);
      assert.ok(!covers(place, pad), JSON.stringify(place));
      assert.ok(place.left >= 0 && place.left + CARD.width <= width);
      assert.ok(place.top >= 0 && place.top + CARD.height <= 768);
    });
}

test("below a link of the bar, so that the others stay free", () => {
  const link = box(690, 6, 780, 44);
  assert.deepEqual(placeCard(link, CARD, { width: 1366, height: 768 }, [link]), { left: 690, top: 58 });
});

test("on a phone it stands above the labels, over the conversation", () => {
  const phone = { width: 390, height: 844 };
  const pad = box(8, 460, 382, 836);
  const place = placeCard(box(12, 480, 378, 560), { width: 320, height: 160 }, phone, [pad]);
  assert.ok(place.top + 160 <= 480, JSON.stringify(place));
});

test("where everything would cover something, what is pointed at stays free before all else", () => {
  const target = box(0, 200, 400, 260);
  const above = box(0, 0, 400, 200);
  const below = box(0, 260, 400, 600);
  const card = { width: 300, height: 150 };
  const { top } = placeCard(target, card, { width: 400, height: 600 }, [target, above, above, below, below]);
  assert.ok(top + card.height <= target.top || top >= target.bottom, String(top));
});

test("where nothing fits it stays in the window", () => {
  const place = placeCard(box(0, 0, 300, 200), { width: 290, height: 190 }, { width: 300, height: 200 }, []);
  assert.deepEqual(place, { left: 8, top: 8 });
});

test("each role's tour is left by itself, and other cookies are no matter", () => {
  /** @type {string[]} */
  const written = [];
  const jar = {
    get cookie() {
      return ["a=rater", ...written.map((text) => text.split(";")[0] ?? "").slice(-1)].join("; ");
    },
    set cookie(text) {
      written.push(text);
    },
  };
  assert.equal(wasLeft(jar, "rater"), false);
  keepLeft(jar, "rater");
  assert.equal(wasLeft(jar, "rater"), true);
  assert.equal(wasLeft(jar, "lead"), false);
  keepLeft(jar, "lead");
  keepLeft(jar, "lead");
  assert.equal(wasLeft(jar, "rater") && wasLeft(jar, "lead"), true);
  assert.equal(written.at(-1), "second_reader_tours=rater.lead; path=/; SameSite=Strict; max-age=31536000");
});

test("the panes end higher for the card, are told once, and have their room again when the tour is gone", () => {
  const values = new Map();
  let resizes = 0;
  const style = {
    getPropertyValue: (/** @type {string} */ name) => values.get(name) ?? "",
    setProperty: (/** @type {string} */ name, /** @type {string} */ value) => values.set(name, value),
  };
  Object.assign(globalThis, {
    document: { documentElement: { style } },
    window: { dispatchEvent: () => (resizes += 1) },
  });
  const tour = Object.assign(Object.create(Tour.prototype), { listening: new AbortController(), timer: 0 });
  tour.makeRoom(60);
  tour.makeRoom(60);
  assert.deepEqual([values.get("--tour-room"), resizes], ["60px", 1]);
  tour.stop();
  assert.deepEqual([values.get("--tour-room"), resizes], ["", 2]);
});
