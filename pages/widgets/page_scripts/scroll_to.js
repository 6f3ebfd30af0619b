// Bringing a container of the page into view, once for each thing that somebody came for.

const TRIES = 30;
const PAUSE = 100; // milliseconds

/**
 * @param {{ data: { key: string, once: string }, parentElement: ParentNode & { scrolledFor?: string } }} component
 */
export default function ({ data, parentElement }) {
  // It is gone with the page, so that who comes again is brought there again.
  if (parentElement.scrolledFor === data.once) return;
  /** @param {number} triesLeft */
  const look = (triesLeft) => {
    const container = document.querySelector(`.st-key-${data.key}`);
    if (container) {
      parentElement.scrolledFor = data.once;
      container.scrollIntoView({ block: "start" });
    } else if (triesLeft) setTimeout(() => look(triesLeft - 1), PAUSE);
  };
  look(TRIES);
}
