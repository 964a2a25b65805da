import { ConditionError } from './condition';

/** Max work of one condition, in characters of text; other work counts as the number of characters that takes about as long. */
export const MAX_COMPARED = 8_388_608;
/** A number, a boolean or null; also one of another type than what it is compared with. */
const SCALAR_WORK = 2;
/** A list or an object, beside what is in it. */
const VALUE_WORK = 16;
/** A character of a text that is searched for a long one. */
const SEARCH_WORK = 2;
/** Up to this length the runtime's own search is linear enough: each character is looked at no more often than that. */
const SHORT_LENGTH = 32;

/** Counts what one condition compares, and ends it where that is more than its bound. */
export class ComparisonWork {
  private counted = 0;
  private readonly nameCounts = new Map<object, number>();

  constructor(
    private readonly max = MAX_COMPARED,
    /** Asked once the bound is reached: false lets the condition continue. */
    private readonly isBounded: () => boolean = () => true,
  ) {}

  /** Characters compared so far. */
  get done(): number {
    return this.counted;
  }

  private spend(work: number): void {
    const before = this.counted;
    this.counted += work;
    if (before <= this.max && this.counted > this.max && this.isBounded()) {
      throw new ConditionError(
        `is too long to compare: a condition compares at most ${this.max} characters, a list or an object counting as ${VALUE_WORK}`,
      );
    }
  }

  /** Whether two JSON values are equal, whatever the order of properties; no text is built of them. */
  equal(left: unknown, right: unknown): boolean {
    if (typeof left === 'string' && typeof right === 'string') return this.sameText(left, right);
    this.spend(SCALAR_WORK);
    if (left === right) return true;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
      return false;
    this.spend(VALUE_WORK);
    if (Array.isArray(left) || Array.isArray(right)) {
      return Array.isArray(left) && Array.isArray(right) && this.sameItems(left, right);
    }
    return this.sameProperties(left, right);
  }

  /** A text in a text, an item in a list, a name in an object. */
  contains(whole: unknown, part: unknown): boolean {
    if (typeof whole === 'string') return typeof part === 'string' && this.includes(whole, part);
    if (Array.isArray(whole)) return whole.some((item) => this.equal(item, part));
    if (typeof whole !== 'object' || whole === null || typeof part !== 'string') return false;
    this.spend(1);
    return Object.hasOwn(whole, part);
  }

  /** Below 0 where `left` comes before `right`, by UTF-16 units. */
  order(left: string, right: string): number {
    this.spend(Math.min(left.length, right.length));
    return left < right ? -1 : left > right ? 1 : 0;
  }

  private sameText(left: string, right: string): boolean {
    this.spend(left.length === right.length ? 1 + left.length : 1);
    return left === right;
  }

  private sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
    return left.length === right.length && left.every((item, at) => this.equal(item, right[at]));
  }

  private sameProperties(left: object, right: object): boolean {
    const names = Object.keys(left);
    this.spend(names.length);
    return (
      names.length === this.namesOf(right) &&
      names.every((name) => Object.hasOwn(right, name) && this.equal(partOf(left, name), partOf(right, name)))
    );
  }

  /** How many properties an object has: counted once, since a list may be searched for the same large one. */
  private namesOf(object: object): number {
    const known = this.nameCounts.get(object);
    if (known !== undefined) return known;
    const count = Object.keys(object).length;
    this.spend(count);
    this.nameCounts.set(object, count);
    return count;
  }

  private includes(whole: string, part: string): boolean {
    if (part.length >= whole.length) return this.sameText(whole, part);
    const isShort = part.length <= SHORT_LENGTH;
    this.spend(isShort ? whole.length : SEARCH_WORK * (whole.length + part.length));
    return isShort ? whole.includes(part) : occursIn(whole, part);
  }
}

function partOf(object: object, name: string): unknown {
  return (object as Readonly<Record<string, unknown>>)[name];
}

/**
 * Whether one text occurs in another, in time proportional to both (Knuth, Morris and Pratt 1977). The runtime's own search
 * takes the product of both lengths where much of the text resembles the part.
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
