import { ConditionError } from './condition';

/**
 * Maximum work of one condition, in characters of text. Other work counts as the number of characters that takes as
 * long.
 */
export const MAX_COMPARED = 8_388_608;
/** Work for a number, a boolean or null, even if the other value has another type. */
const SCALAR_WORK = 2;
/** Work for a list or an object, without that for its contents. */
const VALUE_WORK = 16;
/** Work for a character of a text that is searched for a long text. */
const SEARCH_WORK = 2;
/**
 * Up to this length of the searched text the runtime's own search is used: it reads each character at most that often.
 */
const SHORT_LENGTH = 32;

/** Counts the work of one condition, and throws a ConditionError if it exceeds its limit. */
export class ComparisonWork {
  readonly #max: number;
  readonly #propertyCounts = new Map<object, number>();
  #counted = 0;

  constructor(max = MAX_COMPARED) {
    this.#max = max;
  }

  /** Characters compared so far. */
  get done(): number {
    return this.#counted;
  }

  /** Adds work, in characters. @throws ConditionError at the limit */
  spend(work: number): void {
    this.#counted += work;
    if (this.#counted > this.#max) {
      throw new ConditionError(
        `is too long to compare: a condition compares at most ${this.#max} characters, a list or an object counting as ${VALUE_WORK}`,
      );
    }
  }

  /** Whether two JSON values are equal, independent of the order of properties. No text is built. */
  equal(left: unknown, right: unknown): boolean {
    if (typeof left === 'string' && typeof right === 'string') return this.#isSameText(left, right);
    this.spend(SCALAR_WORK);
    if (left === right) return true;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
      return false;
    this.spend(VALUE_WORK);
    if (Array.isArray(left) || Array.isArray(right)) {
      return Array.isArray(left) && Array.isArray(right) && this.#hasSameItems(left, right);
    }
    return this.#hasSameProperties(left, right);
  }

  /** Whether a text contains a text, a list an item, or an object a property name. */
  contains(whole: unknown, part: unknown): boolean {
    if (typeof whole === 'string') return typeof part === 'string' && this.#includes(whole, part);
    if (Array.isArray(whole)) return whole.some((item) => this.equal(item, part));
    if (typeof whole !== 'object' || whole === null || typeof part !== 'string') return false;
    this.spend(1);
    return Object.hasOwn(whole, part);
  }

  /** Compares texts by UTF-16 units. @returns a number below 0 if `left` comes before `right` */
  order(left: string, right: string): number {
    this.spend(Math.min(left.length, right.length));
    return left < right ? -1 : left > right ? 1 : 0;
  }

  #isSameText(left: string, right: string): boolean {
    this.spend(left.length === right.length ? 1 + left.length : 1);
    return left === right;
  }

  #hasSameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
    return left.length === right.length && left.every((item, at) => this.equal(item, right[at]));
  }

  #hasSameProperties(left: object, right: object): boolean {
    const names = Object.keys(left);
    this.spend(names.length);
    return (
      names.length === this.#countProperties(right) &&
      names.every((name) => Object.hasOwn(right, name) && this.equal(partOf(left, name), partOf(right, name)))
    );
  }

  /** Counts an object's properties, once for each object, since a list may be searched for the same large object. */
  #countProperties(object: object): number {
    const known = this.#propertyCounts.get(object);
    if (known !== undefined) return known;
    const count = Object.keys(object).length;
    this.spend(count);
    this.#propertyCounts.set(object, count);
    return count;
  }

  #includes(whole: string, part: string): boolean {
    if (part.length >= whole.length) return this.#isSameText(whole, part);
    const isShort = part.length <= SHORT_LENGTH;
    this.spend(isShort ? whole.length : SEARCH_WORK * (whole.length + part.length));
    return isShort ? whole.includes(part) : occursIn(whole, part);
  }
}

function partOf(object: object, name: string): unknown {
  return (object as Readonly<Record<string, unknown>>)[name];
}

/**
 * Whether one text occurs in another, in time proportional to both (Knuth, Morris and Pratt 1977). The runtime's own
 * search takes time proportional to the product of both lengths if much of the text resembles the part.
 */
function occursIn(whole: string, part: string): boolean {
  const borders = new Int32Array(part.length);
  for (let at = 1, matched = 0; at < part.length; at += 1) {
    while (matched > 0 && part.charCodeAt(at) !== part.charCodeAt(matched))
      matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(at) === part.charCodeAt(matched)) matched += 1;
    borders[at] = matched;
  }
  for (let at = 0, matched = 0; at < whole.length; at += 1) {
    while (matched > 0 && whole.charCodeAt(at) !== part.charCodeAt(matched))
      matched = borders[matched - 1] ?? 0;
    if (whole.charCodeAt(at) === part.charCodeAt(matched)) matched += 1;
    if (matched === part.length) return true;
  }
  return false;
}
