// The component's entry: called by Streamlit whenever there are new data.
import { elementIn } from "../scripts/dom.js";
import { EvidenceTable } from "./evidence_table.js";

/** @import { EvidenceData } from "./contract.d.ts" */
/** @import { SetChosen } from "./evidence_table.js" */
/** @typedef {{ parentElement: ParentNode, data: EvidenceData, setStateValue: SetChosen }} Component */

/** @type {WeakMap<HTMLElement, EvidenceTable>} */
const running = new WeakMap();

/** @param {Component} component */
export default function (component) {
  const root = elementIn(component.parentElement, ".evidence");
  let table = running.get(root);
  if (!table) {
    table = new EvidenceTable(root);
    running.set(root, table);
  }
  table.receive(component.data, component.setStateValue);
}
