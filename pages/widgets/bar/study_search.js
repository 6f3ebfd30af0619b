// Finds studies by a few words of their titles.

/**
 * Return the studies whose titles contain every word, in their order.
 * @template {{ text: string }} Item
 * @param {Item[]} studies
 * @param {string} words
 * @returns {Item[]}
 */
export function matching(studies, words) {
  const wanted = plain(words).split(/\s+/).filter(Boolean);
  return studies.filter(({ text }) => {
    const title = plain(text);
    return wanted.every((word) => title.includes(word));
  });
}

/**
 * Without capitals and accents.
 * @param {string} text
 */
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
