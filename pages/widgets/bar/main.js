// The component's entry: called by Streamlit whenever there are new data.
import { elementIn } from "../scripts/dom.js";
import { Bar } from "./bar.js";
import { keepOneEntry } from "./history.js";

/** @import { Component } from "./bar.js" */

/** @type {WeakMap<HTMLElement, Bar>} */
const running = new WeakMap();

/** @param {Component} component */
export default function (component) {
  keepOneEntry(window);
  const root = elementIn(component.parentElement, ".bar");
  let bar = running.get(root);
  if (!bar) {
    const [notice, printed] = [".notice", ".printed"].map((name) => elementIn(component.parentElement, name));
    bar = new Bar(root, notice, printed);
    running.set(root, bar);
  }
  bar.receive(component);
  // Streamlit calls this at the end, but also at once for a call that newer data overtook: then the bar lives
  // on.
  return () =>
    setTimeout(() => {
      if (!root.isConnected && running.delete(root)) bar.stop();
    });
}
