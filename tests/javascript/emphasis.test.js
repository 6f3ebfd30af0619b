// Bold and italic in a message: which asterisks mean it, and that no character of the text is lost or moved.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cutText, emphasisIn } from "../../pages/widgets/workbench/emphasis.js";

/**
 * A text as it is seen: <b> and <i> for bold and italic, [ ] for evidence, without the hidden asterisks.
 * @param {string} text
 * @param {{ start: number, end: number }[]} evidence
 */
function seen(text, evidence = []) {
  const marks = evidence.map((span) => ({ ...span, look: /** @type {const} */ ("mark") }));
  return cutText(text, [...emphasisIn(text), ...marks])
    .filter(({ over }) => !over.some(({ look }) => look === "asterisks"))
    .map((part) => {
      const looks = part.over.map(({ look }) => look);
      let shown = part.text;
      if (looks.includes("italic")) shown = `<i>${shown}</i>`;
      if (looks.includes("bold")) shown = `<b>${shown}</b>`;
      return looks.includes("mark") ? `[${shown}]` : shown;
    })
    .join("");
}

// Pages that are made by the server draw the same texts: tests/pages/test_emphasis.py.
const path = new URL("./emphasis_texts.json", import.meta.url);
const TEXTS = /** @type {[string, string][]} */ (JSON.parse(readFileSync(path, "utf8")));

for (const [text, shown] of TEXTS) {
  test(`${JSON.stringify(text)} is seen as ${JSON.stringify(shown)}`, () => {
    assert.equal(seen(text), shown);
  });
}

test("evidence lies over emphasis at the places of the whole text", () => {
  assert.equal(seen("I **feel low** today", [{ start: 4, end: 17 }]), "I [<b>feel low</b>][ to]day");
});

test("of two overlapping pieces of evidence each character is there once", () => {
  assert.equal(
    seen("abcdef", [
      { start: 1, end: 4 },
      { start: 3, end: 6 },
    ]),
    "a[bc][d][ef]",
  );
});

test("whatever lies over a text, its parts together are the text", () => {
  const signs = ["*", "**", "a", " ", "\n", "é", "👩‍👩‍👧", "("];
  let seed = 7;
  const next = (/** @type {number} */ below) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
  for (let round = 0; round < 3000; round += 1) {
    const text = Array.from({ length: next(14) }, () => signs[next(signs.length)]).join("");
    const from = next(text.length + 1);
    const marks = [next(text.length + 1), next(text.length + 3)].sort((a, b) => a - b);
    const mark = { start: marks[0], end: marks[1], look: /** @type {const} */ ("mark") };
    const parts = cutText(text, [...emphasisIn(text), mark], from);
    assert.equal(parts.map((part) => part.text).join(""), text.slice(from));
  }
});

test("a long line of asterisks takes no long time", () => {
  const begun = process.cpuUsage().user;
  emphasisIn("*a ".repeat(20_000) + "**".repeat(20_000));
  assert.ok(process.cpuUsage().user - begun < 20_000_000);
});
