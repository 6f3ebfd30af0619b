// The component's entry: called by Streamlit whenever there are new data.
import { elementIn } from "../scripts/dom.js";
import { drawRaters } from "./rater_table.js";

/** @import { RaterTableData } from "./contract.d.ts" */
/**
 * What Streamlit calls the component with.
 * @typedef {object} Component
 * @property {RaterTableData} data
 * @property {ParentNode} parentElement
 * @property {(name: "open", key: string) => void} setTriggerValue
 */

/** @param {Component} component */
export default function (component) {
  const root = elementIn(component.parentElement, ".raters");
  drawRaters(root, component.data, (key) => component.setTriggerValue("open", key));
}
