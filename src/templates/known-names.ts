import { shorten } from '../contracts/json';

/** How many names an error lists. */
const MAX_LISTED = 5;
/** How many names of an object are compared: an object may have any number of them. */
const MAX_COMPARED = 50;
/** Characters of a name. */
const MAX_LENGTH = 40;

/**
 * Says which names an object has, for an error about one that it lacks: some of them, the most similar first. For a list it is the
 * number of its items, and for any other value nothing. Pure.
 */
export function describeNames(value: unknown, missing: string | number): string {
  if (Array.isArray(value)) return `; it has ${value.length} items`;
  if (typeof value !== 'object' || value === null) return '';
  const names = Object.keys(value);
  if (names.length === 0) return '; it is empty';
  const wanted = shorten(missing, MAX_LENGTH);
  const rated = names
    .slice(0, MAX_COMPARED)
    .map((name) => shorten(name, MAX_LENGTH))
    .map((name) => ({ name, away: distance(wanted, name) }));
  const nearest = rated.sort((one, other) => one.away - other.away).slice(0, MAX_LISTED);
  const more = names.length - nearest.length;
  return `; it has ${nearest.map(({ name }) => name).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The fewest letters that are added, left out or replaced to make one word of another (Levenshtein 1966), whatever their case. */
function distance(one: string, other: string): number {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
