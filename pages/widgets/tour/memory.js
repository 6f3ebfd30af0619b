// Which tours were left in this browser: a cookie of its own, that says a role and nothing else.

const COOKIE = "second_reader_tours";
const DAYS = 365;

/** @typedef {{ cookie: string }} CookieJar */

/** @param {CookieJar} jar */
function rolesLeft(jar) {
  const kept = jar.cookie.split("; ").find((part) => part.startsWith(`${COOKIE}=`));
  return kept ? kept.slice(COOKIE.length + 1).split(".") : [];
}

/**
 * @param {CookieJar} jar
 * @param {string} role
 */
export function wasLeft(jar, role) {
  return rolesLeft(jar).includes(role);
}

/**
 * @param {CookieJar} jar
 * @param {string} role
 */
export function keepLeft(jar, role) {
  const roles = [...new Set([...rolesLeft(jar), role])].join(".");
  jar.cookie = `${COOKIE}=${roles}; path=/; SameSite=Strict; max-age=${DAYS * 24 * 3600}`;
}
