// The component's entry: called by Streamlit whenever there are new data.
import { elementIn } from "../scripts/dom.js";
import { ownMarkup } from "../scripts/own_markup.js";

/** @param {{ parentElement: ParentNode, data: { html: string } }} component */
export default function ({ parentElement, data }) {
  elementIn(parentElement, ".picture").replaceChildren(ownMarkup(data.html));
}
