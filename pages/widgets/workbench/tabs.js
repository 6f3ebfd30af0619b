// Where a page keeps what waits: in the browser's storage, under a name of its own that no other page writes
// to. As long as the page lives it holds a lock on that name, so that others can tell what a living page
// keeps from what was left behind. A tab remembers the names of its pages in sessionStorage; a duplicated tab
// has a copy of them, and only the locks tell the page before from another tab that lives.

/** @import { WaitingEvent } from "./outbox.js" */

const RELOAD_TAKES = 8000;
const LOCK_TAKES = 2000; // of a page that has just begun: on a busy machine its words are here before its lock

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
      // nobody can tell who lives: what this tab had goes along, and comes twice at worst
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
    // Back out of the browser's cache of pages, where the lock may have been lost and what waits been taken
    // over: it is kept and sent once more, under the same ids.
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
   * After a reload the page before ends in a moment; where it does not, this tab is a duplicate of one that
   * lives.
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
   * What a closed tab leaves is taken over, unless the tab comes back in a moment, as after a reload.
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
   * Whether the events are in the browser's storage now; in private mode, or where it is full, they are not.
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
   * The names of this tab's pages, the last one first.
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

  // The page goes on without it: whoever comes next in this tab takes over what waits.
  stop() {
    this.life.abort();
  }
}
