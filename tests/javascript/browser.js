// A browser with tabs, as far as the outbox knows it: storage of the browser and of a tab, their events, locks.
import { Outbox } from "../../pages/widgets/workbench/outbox.js";

/** @import { RatingEvent } from "../../pages/widgets/workbench/outbox.js" */

/** @typedef {"getItem" | "setItem" | "removeItem"} StorageMethod */

export class Browser {
  /** @param {{ hasLocks?: boolean }} settings */
  constructor({ hasLocks = true } = {}) {
    this.hasLocks = hasLocks;
    /** @type {Map<string, string>} */
    this.texts = new Map(); // localStorage
    /** @type {Set<Tab>} */
    this.tabs = new Set();
  }

  /**
   * A page with an outbox in a tab.
   * @param {{ session?: Map<string, string>, forbidden?: StorageMethod[] }} settings `session`: what the tab's
   * sessionStorage holds; `forbidden`: what of either storage throws
   */
  open({ session = new Map(), forbidden = [] } = {}) {
    return new Tab(this, session, forbidden);
  }

  /** What any page keeps in the browser, in the order of the pages. */
  stored() {
    return [...this.texts.values()].flatMap((text) => JSON.parse(text));
  }

  close() {
    for (const tab of [...this.tabs]) tab.close();
  }
}

/** A page in a tab, with an outbox. It stands for the page's window as far as the outbox looks at it. */
export class Tab extends EventTarget {
  /**
   * @param {Browser} browser
   * @param {Map<string, string>} session
   * @param {StorageMethod[]} forbidden
   */
  constructor(browser, session, forbidden) {
    super();
    this.browser = browser;
    this.session = session;
    this.forbidden = forbidden;
    this.localStorage = this.storageOf(browser.texts, (key, newValue) => {
      for (const tab of browser.tabs) {
        if (tab !== this) tab.dispatchEvent(Object.assign(new Event("storage"), { key, newValue }));
      }
    });
    this.sessionStorage = this.storageOf(session, () => {});
    this.navigator = { locks: browser.hasLocks ? navigator.locks : undefined };
    /** @type {RatingEvent[][]} */
    this.sent = [];
    this.changes = 0;
    browser.tabs.add(this);
    this.outbox = new Outbox(
      "store-1",
      (events) => this.sent.push(structuredClone(events)),
      () => {
        this.changes += 1;
      },
      /** @type {Window} */ (/** @type {unknown} */ (this)),
    );
  }

  /**
   * A Storage whose own keys are those of `texts`, as `Object.keys(localStorage)` expects.
   * @param {Map<string, string>} texts
   * @param {(key: string, newValue: string | null) => void} changed
   */
  storageOf(texts, changed) {
    /** @param {StorageMethod} method */
    const check = (method) => {
      if (this.forbidden.includes(method)) throw new DOMException("No room.", "QuotaExceededError");
    };
    const methods = {
      /** @param {string} key */
      getItem(key) {
        check("getItem");
        return texts.get(key) ?? null;
      },
      /**
       * @param {string} key
       * @param {string} text
       */
      setItem(key, text) {
        check("setItem");
        texts.set(key, text);
        changed(key, text);
      },
      /** @param {string} key */
      removeItem(key) {
        check("removeItem");
        if (texts.delete(key)) changed(key, null);
      },
    };
    return new Proxy(methods, {
      ownKeys: () => [...texts.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    });
  }

  /** The page ends: its locks are free, what it kept stays in the browser. */
  close() {
    this.outbox.stop();
    this.browser.tabs.delete(this);
  }

  /** @param {StorageMethod[]} forbidden */
  reload(forbidden = []) {
    this.close();
    return this.browser.open({ session: this.session, forbidden });
  }

  /** As the browser's own command does it: with a copy of sessionStorage. */
  duplicate() {
    return this.browser.open({ session: new Map(this.session) });
  }

  /** The ids of the last message to the server. */
  lastIds() {
    return this.sent.at(-1)?.map(({ id }) => id) ?? [];
  }
}

/** Lets everything go on that waits for nothing but its turn; locks take several turns. */
export async function goOn() {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((done) => setImmediate(done));
}
