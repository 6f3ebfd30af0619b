// Keys of the form for a decision. O starts writing, as on the review page; Esc ends it, so that the other keys work
// again.
//
// Settling opens the next label. In a text Streamlit takes Ctrl+Enter twice, for form and button, and the second
// message would still carry the address of the label before: so the button is pressed once, whatever is held down or
// pressed again.
import { isTyping } from "../scripts/dom.js";
import { nameOfKey } from "../scripts/key_names.js";

export default function () {
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("keydown", onWritingKey, { signal });
  window.addEventListener("keydown", onSettleKey, { capture: true, signal });
  window.addEventListener("click", onSecondClick, { capture: true, signal });
  return () => listening.abort();
}

/** @param {KeyboardEvent} event */
function onWritingKey(event) {
  if (event.key === "Escape" && isTyping(event)) targetOf(event)?.blur();
  const isAlone = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (nameOfKey(event) !== "o" || !isAlone || isTyping(event)) return;
  const field = document.querySelector("textarea");
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** @param {KeyboardEvent} event */
function onSettleKey(event) {
  const button = document.querySelector(".st-key-settle button");
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  if (!(button instanceof HTMLElement)) return;
  const form = targetOf(event)?.closest("[data-testid=stForm]");
  if (form ? !form.contains(button) : document.querySelector(".st-key-answer")) return;
  stop(event);
  if (!event.repeat) button.click();
}

/** @param {MouseEvent} event */
function onSecondClick(event) {
  if (event.detail > 1 && targetOf(event)?.closest(".st-key-settle")) stop(event);
}

/** @param {Event} event */
function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * What the event is of, inside a component too; nothing where that is no element.
 * @param {Event} event
 */
function targetOf(event) {
  const target = /** @type {Partial<HTMLElement> | undefined} */ (event.composedPath()[0]);
  return target?.closest ? /** @type {HTMLElement} */ (target) : null;
}
