/** Shortest word for which one slip of the keyboard is forgiven; shorter ones turn into other words too easily. */
const MIN_LENGTH = 5;

/**
 * True where two words differ by at most one letter added, left out, replaced, or swapped with its neighbour
 * (Damerau-Levenshtein distance 1), and the wanted one is long enough for that to say something.
 */
export function isTypoOf(written: string, wanted: string): boolean {
  if (written === wanted) return true;
  if (wanted.length < MIN_LENGTH || Math.abs(written.length - wanted.length) > 1) return false;
  let prefix = 0;
  while (prefix < written.length && written[prefix] === wanted[prefix]) prefix++;
  const rest = (skipWritten: number, skipWanted: number): boolean =>
    written.slice(prefix + skipWritten) === wanted.slice(prefix + skipWanted);
  if (rest(1, 0) || rest(0, 1) || rest(1, 1)) return true;
  return written[prefix] === wanted[prefix + 1] && written[prefix + 1] === wanted[prefix] && rest(2, 2);
}
