/** A shorter word may not have a typo, because one letter turns it into another word too easily. */
const MIN_LENGTH = 5;

/**
 * True if two words differ by at most one letter that is added, left out, replaced, or swapped with its neighbour
 * (Damerau-Levenshtein distance 1), and the wanted word is long enough for that to be evidence.
 */
export function isTypoOf(written: string, wanted: string): boolean {
  if (written === wanted) return true;
  if (wanted.length === MIN_LENGTH - 1) return hasDoubledLetter(written, wanted);
  if (wanted.length < MIN_LENGTH || Math.abs(written.length - wanted.length) > 1) return false;
  let prefix = 0;
  while (prefix < written.length && written[prefix] === wanted[prefix]) prefix++;
  const rest = (skipWritten: number, skipWanted: number): boolean =>
    written.slice(prefix + skipWritten) === wanted.slice(prefix + skipWanted);
  if (rest(1, 0) || rest(0, 1) || rest(1, 1)) return true;
  return written[prefix] === wanted[prefix + 1] && written[prefix + 1] === wanted[prefix] && rest(2, 2);
}

/** Whether one letter is repeated, as in `boook`, which hardly ever gives another word. */
function hasDoubledLetter(written: string, wanted: string): boolean {
  if (written.length !== wanted.length + 1) return false;
  let at = 0;
  while (at < wanted.length && written[at] === wanted[at]) at++;
  // `planes` is a plural and `seed` is another word, so the letter must be the third in a row, or a doubled consonant.
  const doubled = at > 0 && written[at] === written[at - 1] && written.slice(at + 1) === wanted.slice(at);
  return doubled && (written[at - 2] === written[at] || !/[aeiou]/.test(written[at] ?? ''));
}
