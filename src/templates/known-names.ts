import { editDistance, findNearest } from '../base/text/nearest';
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
  const wanted = shorten(missing, MAX_LENGTH).toLowerCase();
  const rated = names
    .slice(0, MAX_COMPARED)
    .map((name) => shorten(name, MAX_LENGTH))
    .map((name) => ({ name, away: editDistance(wanted, name.toLowerCase()) }));
  const nearest = rated.sort((one, other) => one.away - other.away).slice(0, MAX_LISTED);
  const more = names.length - nearest.length;
  return `; it has ${nearest.map(({ name }) => name).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Says which of the known names a written one is most like, for an error; nothing if it is like none. Pure. */
export function didYouMean(written: string | number, known: readonly string[]): string {
  const nearest = findNearest(String(written), known.slice(0, MAX_COMPARED));
  return nearest === undefined ? '' : `; did you mean "${shorten(nearest.name, MAX_LENGTH)}"?`;
}
