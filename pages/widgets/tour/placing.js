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
 * @param {Box[]} clear what the card must not cover
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
    ]),
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
  const free = inWindow.find((place) => !clear.some((box) => overlaps(place, card, box)));
  return free ?? inWindow[0] ?? { left: across, top: down };
}

/**
 * @param {{ left: number, top: number }} place
 * @param {Size} card
 * @param {Box} box
 */
function overlaps({ left, top }, card, box) {
  return left < box.right && left + card.width > box.left && top < box.bottom && top + card.height > box.top;
}
