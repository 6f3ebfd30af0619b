// Back undoes one action, so an action makes at most one entry in the browser's history. Streamlit makes one for each
// part of an address that a page writes, so that one click could need Back three times.

/** @typedef {Pick<History, "pushState" | "replaceState"> & { isOneEntry?: boolean }} Entries */

/** @param {{ history: Entries, addEventListener: Window["addEventListener"] }} view */
export function keepOneEntry(view) {
  const { history } = view;
  if (history.isOneEntry) return;
  history.isOneEntry = true;
  const push = history.pushState.bind(history);
  let acted = false;
  const act = () => {
    acted = true;
  };
  for (const kind of /** @type {const} */ (["pointerdown", "keydown"]))
    view.addEventListener(kind, act, { capture: true });
  history.pushState = (state, unused, address) => {
    if (acted) push(state, unused, address);
    else history.replaceState(state, unused, address);
    acted = false;
  };
}
