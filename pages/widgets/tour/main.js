// The component's entry: called by Streamlit whenever there are new data.
import { elementIn } from "../scripts/dom.js";
import { Tour } from "./tour.js";

/** @import { Component } from "./tour.js" */

/** @type {WeakMap<HTMLElement, Tour>} */
const running = new WeakMap();

/** @param {Component} component */
export default function (component) {
  const root = elementIn(component.parentElement, ".tour");
  let tour = running.get(root);
  if (!tour) {
    tour = new Tour(root);
    running.set(root, tour);
  }
  tour.receive(component.data);
  // Streamlit calls this at the end, but also at once for a call that newer data overtook: then the tour lives on.
  return () =>
    setTimeout(() => {
      if (!root.isConnected && running.delete(root)) tour.stop();
    });
}
