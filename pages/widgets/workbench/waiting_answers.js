// Sends what a tab still holds of a study that shows its rater nothing more to rate.
import { elementIn } from "../scripts/dom.js";
import { Outbox } from "./outbox.js";

/** @import { BrowserState, PageData } from "./contract.d.ts" */
/**
 * What Streamlit calls the component with. `owner`: names the store and the rater.
 * @typedef {object} Component
 * @property {{ owner: string } & Pick<PageData, "acked" | "refused" | "trouble" | "now" | "session">} data
 * @property {ParentNode} parentElement
 * @property {<Name extends keyof BrowserState>(name: Name, value: BrowserState[Name]) => void} setStateValue
 */

/** @type {WeakMap<HTMLElement, Outbox>} */
const running = new WeakMap();

/** @param {Component} component */
export default function ({ data, parentElement, setStateValue }) {
  const line = elementIn(parentElement, ".waiting");
  const outbox =
    running.get(line) ??
    new Outbox(
      data.owner,
      () => {},
      () => {},
    );
  running.set(line, outbox);
  const draw = () => {
    const { text } = outbox.status();
    line.textContent = [...data.refused.map(({ message }) => message), text].join(" ");
  };
  outbox.send = (events) => setStateValue("events", events);
  outbox.changed = draw;
  outbox.settle(data);
  draw();
  return () =>
    setTimeout(() => {
      if (!line.isConnected && running.delete(line)) outbox.stop();
    });
}
