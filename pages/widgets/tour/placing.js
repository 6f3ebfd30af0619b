// Where the card stands beside what it speaks of: never over it, and never over what has to stay in sight.

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
/** @typedef {{ width: number, height: number }} Size */

const GAP = 14; // pixels between the card and what it speaks of
const BAR = 50; // the height of the bar, whose other links stay free
const EDGE = 8; // and between the card and the window

/**
 * The upper left corner of the card.
 * @param {Box} target
 * @param {Size} card
 * @param {Size} view
 * @param {Box[]} clear what the card must not cover, the most important first; where all else covers more, little
 */
export function placeCard(target, card, view, clear) {
  const within = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ all) =>
    Math.max(EDGE, Math.min(at, all - size - EDGE));
  const across = within(target.left, card.width, view.width);
  const down = within(target.top, card.height, view.height);
  const below = { left: across, top: target.bottom + GAP };
  const places = [
    ...(target.top < BAR ? [below] : []),
    { left: target.left - card.width - GAP, top: down },
    { left: target.right + GAP, top: down },
    below,
    { left: across, top: target.top - card.height - GAP },
    ...clear.flatMap((box) => [
      { left: box.left - card.width - GAP, top: down },
      { left: across, top: box.top - card.height - GAP },
      { left: within(box.left, card.width, view.width), top: box.bottom + GAP },
      { left: within(box.right - card.width, card.width, view.width), top: box.bottom + GAP },
    ]),
    { left: view.width - card.width - EDGE, top: view.height - card.height - EDGE },
    // A large target is pointed at from within.
    { left: target.right - card.width - GAP, top: target.bottom - card.height - GAP },
    { left: target.left + GAP, top: target.top + GAP },
  ];
  const inWindow = places.filter(
    ({ left, top }) =>
      left >= EDGE &&
      top >= EDGE &&
      left + card.width <= view.width - EDGE &&
      top + card.height <= view.height - EDGE,
  );
  const covered = inWindow.map((place) => clear.map((box) => coveredArea(place, card, box)));
  const best = covered.reduce((least, areas, at) => (isLess(areas, covered[least] ?? []) ? at : least), 0);
  return inWindow[best] ?? { left: across, top: down };
}

/**
 * How much of a box the card covers.
 * @param {{ left: number, top: number }} place
 * @param {Size} card
 * @param {Box} box
 */
function coveredArea({ left, top }, card, box) {
  const width = Math.min(left + card.width, box.right) - Math.max(left, box.left);
  const height = Math.min(top + card.height, box.bottom) - Math.max(top, box.top);
  return Math.max(0, width) * Math.max(0, height);
}

/**
 * Whether these areas are smaller than others: the first one, and where it is the same all together.
 * @param {number[]} areas
 * @param {number[]} others
 */
function isLess(areas, others) {
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, number) => total + number, 0);
  const [first = 0, otherFirst = 0] = [areas[0], others[0]];
  return first !== otherFirst ? first < otherFirst : sum(areas) < sum(others);
}
