// The tour: where its card stands, and what the browser remembers of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { keepLeft, wasLeft } from "../../pages/widgets/tour/memory.js";
import { placeCard } from "../../pages/widgets/tour/placing.js";

const VIEW = { width: 1366, height: 768 };
const CARD = { width: 320, height: 160 };
const PAD = { left: 882, top: 92, right: 1346, bottom: 758 };

/**
 * @param {number} left
 * @param {number} top
 * @param {number} right
 * @param {number} bottom
 */
const box = (left, top, right, bottom) => ({ left, top, right, bottom });

/** @param {{ left: number, top: number }} place */
const coversThePad = ({ left, top }) =>
  left < PAD.right && left + CARD.width > PAD.left && top < PAD.bottom && top + CARD.height > PAD.top;

test("the card stands at the left of a label", () => {
  assert.deepEqual(placeCard(box(893, 215, 1335, 335), CARD, VIEW, [PAD]), {
    left: 893 - 320 - 14,
    top: 215,
  });
});

const TARGETS = {
  "the first label": box(893, 215, 1335, 335),
  "the commit button": box(1149, 718, 1335, 749),
  "the conversation": box(166, 92, 872, 758),
  "the time left": box(1259, 66, 1342, 84),
  "a link of the bar": box(600, 8, 680, 40),
  "a corner of the window": box(0, 740, 40, 768),
};
for (const [name, target] of Object.entries(TARGETS)) {
  test(`the card of ${name} never stands over a label, nor outside of the window`, () => {
    const place = placeCard(target, CARD, VIEW, [PAD]);
    assert.ok(!coversThePad(place), JSON.stringify(place));
    assert.ok(place.left >= 0 && place.left + CARD.width <= VIEW.width);
    assert.ok(place.top >= 0 && place.top + CARD.height <= VIEW.height);
  });
}

test("on a phone it stands above the labels, over the conversation", () => {
  const phone = { width: 390, height: 844 };
  const pad = box(8, 460, 382, 836);
  const place = placeCard(box(12, 480, 378, 560), { width: 320, height: 160 }, phone, [pad]);
  assert.ok(place.top + 160 <= 480, JSON.stringify(place));
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
