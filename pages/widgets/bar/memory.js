// The browser remembers the person in a cookie, which the server reads when the next tab opens.

const COOKIE = "second_reader";
const DAYS = 30;

/**
 * Keep each change once: another tab may have kept something newer since.
 * @param {{ document: { cookie: string }, sessionStorage: Pick<Storage, "getItem" | "setItem"> }} view
 * @param {string} value encoded as an address encodes; empty forgets
 * @param {number} change which change of this tab it is; 0 for none
 */
export function keepName(view, value, change) {
  if (!change || !/^[\w.~%-]*$/.test(value)) return;
  try {
    const kept = `${change} ${value}`;
    if (view.sessionStorage.getItem(COOKIE) === kept) return;
    view.sessionStorage.setItem(COOKIE, kept);
  } catch {
    // Where the browser keeps nothing for a tab, the cookie is written again.
  }
  const age = value ? DAYS * 24 * 3600 : 0;
  view.document.cookie = `${COOKIE}=${value}; path=/; SameSite=Strict; max-age=${age}`;
}
