// The keys of the pad: a label's own key, arrows, and Ctrl+Enter, as on the rating page.
import { isTyping } from "../scripts/dom.js";
import { nameOfKey } from "../scripts/key_names.js";

/** @import { LeadPad } from "./lead_pad.js" */

/**
 * @param {LeadPad} pad
 * @param {KeyboardEvent} event
 */
export function onPadKey(pad, event) {
  if (!pad.root.isConnected || event.isComposing) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
    event.preventDefault();
    if (!event.repeat) pad.save();
    return;
  }
  const target = event.composedPath()[0];
  if (event.key === "Escape" && target instanceof HTMLElement && isTyping(event)) target.blur();
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const isInside = target === document.body || event.composedPath().includes(pad.root);
  if (nameOfKey(event).startsWith("Arrow") && !isInside) return;
  if (handle(pad, event)) event.preventDefault();
}

/**
 * Whether the key is one of the pad's.
 * @param {LeadPad} pad
 * @param {KeyboardEvent} event
 */
function handle(pad, event) {
  const key = nameOfKey(event);
  const { criterion } = pad;
  const level = criterion?.levels.find((item) => item.key === key);
  if (criterion && level) {
    if (!event.repeat) pad.setLabel(criterion, level.id);
    return true;
  }
  switch (key) {
    case "ArrowDown":
      pad.setFocus(pad.focus + 1);
      return true;
    case "ArrowUp":
      pad.setFocus(pad.focus - 1);
      return true;
    case "Backspace":
      if (criterion) pad.setLabel(criterion, null);
      return true;
    case "i":
      pad.info = !pad.info;
      pad.paint();
      return true;
    case "[":
      pad.moveMessage(-1);
      return true;
    case "]":
      pad.moveMessage(1);
      return true;
    case "PageDown":
    case "PageUp":
      pad.transcript.scrollTop += (key === "PageDown" ? 0.9 : -0.9) * pad.transcript.clientHeight;
      return true;
    default:
      return false;
  }
}
