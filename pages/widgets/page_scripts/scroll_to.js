// Scrolls an element into view, once for each link that a person follows.

const TRIES = 30;
const PAUSE = 100; // milliseconds

/**
 * @param {{ data: { place: string, once: string }, parentElement: ParentNode & { scrolledFor?: string } }} component
 */
export default function ({ data, parentElement }) {
  // It is gone with the page, so the next visit scrolls again.
  if (parentElement.scrolledFor === data.once) return;
  /** @param {number} triesLeft */
  const look = (triesLeft) => {
    const element = document.querySelector(`.${data.place}`);
    if (element) {
      parentElement.scrolledFor = data.once;
      element.scrollIntoView({ block: "start" });
    } else if (triesLeft) setTimeout(() => look(triesLeft - 1), PAUSE);
  };
  look(TRIES);
}
