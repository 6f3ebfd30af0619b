// The component's entry: called by Streamlit whenever there are new data.
import { elementIn } from "../scripts/dom.js";
import { LeadPad } from "./lead_pad.js";

/** @import { Component } from "./lead_pad.js" */

/** @type {WeakMap<HTMLElement, LeadPad>} */
const running = new WeakMap();

/** @param {Component} component */
export default function (component) {
  const root = elementIn(component.parentElement, ".workbench");
  let pad = running.get(root);
  if (!pad) {
    pad = new LeadPad(root);
    running.set(root, pad);
  }
  pad.receive(component);
  // Streamlit calls this at the end, but also at once for a call that newer data overtook: then the pad lives on.
  return () =>
    setTimeout(() => {
      if (!root.isConnected && running.delete(root)) pad.stop();
    });
}
