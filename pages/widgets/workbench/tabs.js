// Where a page keeps waiting events: in the browser's storage, under its own name. While the page lives, it holds a
// lock on that name, so that others can tell its events from those left behind. A tab remembers the names of its pages
// in sessionStorage; a duplicated tab has a copy, and only the locks tell the tab's previous page from another live
// tab.

/** @import { WaitingEvent } from "./outbox.js" */

const RELOAD_TAKES = 8000;
const LOCK_TAKES = 2000; // milliseconds; on a busy machine a new page stores its events before it holds its lock

export class TabStorage {
  /**
   * @param {string} prefix of the names of all pages that may take over from each other
   * @param {(events: WaitingEvent[], closed: boolean) => WaitingEvent[]} take is given what was left under
   * another name, and returns what of it stays there; `closed`: it is of a tab that is gone, otherwise of the
   * page before in this tab
   * @param {Window} browser
   */
  constructor(prefix, take, browser) {
    this.browser = browser;
    this.prefix = prefix;
    this.take = take;
    this.name = prefix + crypto.randomUUID();
    this.life = new AbortController();
    this.neighbours = new Set([this.name]);
  }

  begin() {
    const earlierPages = this.pages(),
      { signal } = this.life;
    this.remember([this.name, ...earlierPages]);
    if (!this.browser.navigator.locks) {
      // without locks, take this tab's events along; at worst they come twice
      earlierPages.forEach((name) => queueMicrotask(() => this.empty(name, false)));
      return;
    }
    this.hold();
    earlierPages.forEach((name) => this.inherit(name));
    this.names()
      .filter((name) => !earlierPages.includes(name))
      .forEach((name) => this.follow(name));
    this.browser.addEventListener(
      "storage",
      ({ key, newValue }) => {
        if (newValue && key?.startsWith(this.prefix)) this.follow(key, LOCK_TAKES);
      },
      { signal },
    );
    // The page returns from the browser's page cache, where it may have lost its lock, and another page may have taken
    // its events: store and send them again, under the same ids.
    this.browser.addEventListener(
      "pageshow",
      ({ persisted }) => {
        if (persisted) {
          this.hold();
          this.take([], false);
        }
      },
      { signal },
    );
  }

  hold() {
    const { signal } = this.life;
    this.lock(
      this.name,
      { signal },
      () => new Promise((release) => signal.addEventListener("abort", release)),
    );
  }

  /**
   * After a reload the previous page ends in a moment. If it doesn't, this tab is a duplicate of a live one.
   * @param {string} name
   */
  async inherit(name) {
    const { signal } = this.life,
      patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), RELOAD_TAKES);
    signal.addEventListener("abort", () => patience.abort());
    await this.lock(name, { signal: patience.signal }, () => this.empty(name, false));
    clearTimeout(timer);
    if (signal.aborted) return;
    this.remember(this.pages().filter((page) => page !== name));
    this.follow(name);
  }

  /**
   * Take over a closed tab's events, unless the tab comes back in a moment, as after a reload.
   * @param {string} name
   * @param {number} patience milliseconds
   */
  async follow(name, patience = 0) {
    const { signal } = this.life;
    if (this.neighbours.has(name)) return;
    this.neighbours.add(name);
    if (patience) await new Promise((done) => setTimeout(done, patience));
    while (!signal.aborted) {
      const isAlive = await this.lock(name, { ifAvailable: true }, (lock) => {
        if (lock) this.empty(name, true);
        return !lock;
      });
      if (!isAlive) break;
      await this.lock(name, { signal }, () => {});
      await new Promise((done) => setTimeout(done, RELOAD_TAKES));
    }
    this.neighbours.delete(name);
  }

  /**
   * @template Result
   * @param {string} name
   * @param {LockOptions} options
   * @param {(lock: Lock | null) => Result | Promise<Result>} work
   * @returns {Promise<Result | null>}
   */
  async lock(name, options, work) {
    try {
      return await this.browser.navigator.locks.request(name, options, work);
    } catch {
      return null;
    } // no longer wanted, or forbidden
  }

  /**
   * @param {string} name
   * @param {boolean} closed
   */
  empty(name, closed) {
    const events = this.life.signal.aborted ? [] : this.read(name);
    if (events.length) this.write(this.take(events, closed), name);
  }

  /**
   * @param {string} name
   * @returns {WaitingEvent[]}
   */
  read(name) {
    try {
      return JSON.parse(this.browser.localStorage.getItem(name) ?? "[]").filter(
        (/** @type {any} */ event) => typeof event?.id === "string",
      );
    } catch {
      return [];
    }
  }

  /**
   * Store the events. Returns false if the browser can't, in private mode or with full storage.
   * @param {WaitingEvent[]} events
   * @param {string} name
   */
  write(events, name = this.name) {
    try {
      if (events.length) this.browser.localStorage.setItem(name, JSON.stringify(events));
      else this.browser.localStorage.removeItem(name);
      return true;
    } catch {
      return false;
    }
  }

  names() {
    try {
      return Object.keys(this.browser.localStorage).filter((name) => name.startsWith(this.prefix));
    } catch {
      return [];
    }
  }

  /**
   * Return the names of this tab's pages, the last one first.
   * @returns {string[]}
   */
  pages() {
    try {
      const names = JSON.parse(this.browser.sessionStorage.getItem(this.prefix) ?? "[]");
      return Array.isArray(names) ? names : [];
    } catch {
      return [];
    }
  }

  /** @param {string[]} names */
  remember(names) {
    try {
      this.browser.sessionStorage.setItem(this.prefix, JSON.stringify(names));
    } catch {
      /* private mode: as a closed tab then */
    }
  }

  // The page goes on without it; the tab's next page takes over what waits.
  stop() {
    this.life.abort();
  }
}
