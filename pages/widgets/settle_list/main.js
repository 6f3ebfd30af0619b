// The component's entry: called by Streamlit whenever there are new data.
import { elementIn } from "../scripts/dom.js";
import { SettleList } from "./settle_list.js";

/** @import { Component } from "./settle_list.js" */

/** @type {WeakMap<HTMLElement, SettleList>} */
const running = new WeakMap();

/** @param {Component} component */
export default function (component) {
  const root = elementIn(component.parentElement, ".settle-list");
  let list = running.get(root);
  if (!list) {
    list = new SettleList(root);
    running.set(root, list);
  }
  list.receive(component);
  // Streamlit calls this at the end, but also at once for a call that newer data overtook: then the list lives on.
  return () =>
    setTimeout(() => {
      if (!root.isConnected && running.delete(root)) list.stop();
    });
}
