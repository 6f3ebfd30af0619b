// Entry of the component that sends search questions to the server, and brings the bar what comes after a page is
// drawn. It draws nothing; it meets the bar at the window, whichever is there first.

/**
 * What pages/widgets/bar/answers.py makes.
 * @typedef {{ text: string, about: string, address: string }} HitLink
 * @typedef {{ title: string, hits: HitLink[] }} HitLinkGroup
 * @typedef {{ number: number, groups: HitLinkGroup[], note: string, trouble: string }} Answer
 * @typedef {{ answer: Answer | null, left: { address: string, count: number } | null }} Answers
 */
/** @typedef {{ number: number, words: string }} Question */
/**
 * What Streamlit calls the component with.
 * @typedef {object} Component
 * @property {Answers} data
 * @property {ParentNode} parentElement
 * @property {(name: "ask", question: Question) => void} setTriggerValue
 */

export const ASK = "second-reader-ask";
export const ANSWERS = "second-reader-answers";
export const BAR_IS_THERE = "second-reader-bar";

/** @type {WeakMap<ParentNode, { component: Component, listening: AbortController }>} */
const running = new WeakMap();

/** @param {Component} component */
export default function (component) {
  const place = component.parentElement;
  const before = running.get(place);
  if (before) before.component = component;
  else running.set(place, listen(component));
  tell(component.data);
  return () =>
    setTimeout(() => {
      if (place instanceof Node && place.isConnected) return;
      running.get(place)?.listening.abort();
      running.delete(place);
    });
}

/** @param {Component} component */
function listen(component) {
  const listener = { component, listening: new AbortController() };
  const { signal } = listener.listening;
  window.addEventListener(BAR_IS_THERE, () => tell(listener.component.data), { signal });
  window.addEventListener(
    ASK,
    (event) => {
      if (event instanceof CustomEvent) listener.component.setTriggerValue("ask", event.detail);
    },
    { signal },
  );
  return listener;
}

/** @param {Answers} answers */
function tell(answers) {
  window.dispatchEvent(new CustomEvent(ANSWERS, { detail: answers }));
}
