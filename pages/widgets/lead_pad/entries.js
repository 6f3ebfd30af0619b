// Unsent entries of the pad, by what they label, so that a person who comes back in this window finds them. Sent
// entries come from the server, because somebody else may have changed them since.

/** @import { LeadPadData } from "./contract.d.ts" */
/** @typedef {{ labels: Record<string, string>, expert: string, reason: string }} Entry */

export class Entries {
  constructor() {
    /** @type {Map<string, { entry: Entry, kept: string }>} `kept`: the entry as the server has it */
    this.byKey = new Map();
  }

  /** @param {Pick<LeadPadData, "key" | "labels" | "expert" | "reason">} data */
  open({ key, labels, expert, reason }) {
    const before = this.byKey.get(key);
    if (before && JSON.stringify(before.entry) !== before.kept) return before.entry;
    const entry = { labels: { ...labels }, expert, reason };
    this.byKey.set(key, { entry, kept: JSON.stringify(entry) });
    return entry;
  }

  /** @param {string} key */
  find(key) {
    return this.byKey.get(key)?.entry ?? { labels: {}, expert: "", reason: "" };
  }

  /**
   * @param {string} key
   * @param {string} sent the entry as it was when it was sent
   */
  noteKept(key, sent) {
    const before = this.byKey.get(key);
    if (before) before.kept = sent;
  }
}
