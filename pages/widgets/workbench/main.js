// The component's entry: called by Streamlit whenever there are new data.
import { Workbench } from "./app.js";
import { elementIn } from "../scripts/dom.js";

/** @import { Component } from "./app.js" */

/** @type {WeakMap<HTMLElement, Workbench>} */
const running = new WeakMap();

/** @param {Component} component */
export default function (component) {
  const root = elementIn(component.parentElement, ".workbench");
  let app = running.get(root);
  if (!app) {
    app = new Workbench(root);
    running.set(root, app);
  }
  app.receive(component);
  // Streamlit calls this at the end, but also at once for a call that newer data overtook: then the app lives
  // on.
  return () =>
    setTimeout(() => {
      if (!root.isConnected && running.delete(root)) app.stop();
    });
}
