import { ARTICLES, POLITENESS, STOP_WORDS } from '../text/stop-words';
import { addressOf, LABELS, type Draft } from './draft';
import { headerName, readHeader } from './headers';
import { isRequestVerb } from './methods';
import { linkAt, readValue } from './values';
import { wordsTagged } from '../text/lexicon/words';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that a list of fields follows, also one whose names stand beside their values: `with age 5`. */
const LISTING = wordsTagged('listing');
/** Words after which a preposition ties a name to its value: `set the status to done`. */
const CHANGES = wordsTagged('changes');
const SENDING = wordsTagged('sending');
const QUERY = list('query parameter parameters params param');
const SEPARATORS = list(', ; & and - * • / |');
const BODY = /^(?:body|payload)$/;
const TEXTS = /^(?:text|string|word|number)$/;
const NONE = list('no empty without any nothing blank');
const ABSENT = new Set([...NONE, 'with']);
/** A value with this in it is more than a value: `item = milk to the list`. */
const INNER_PHRASE = /\s(?:to|at|on|into) (?:the|my|our|an?)\s/i;
/** Verbs that take what they send as their object. */
export const SENDS = /^(?:post|send|put|patch|submit|push|publish|upload|forward)(?:t?ing)?$/;
/** What may stand between a body's name and the body: `the body is just the number 5`. */
const KINDS = wordsTagged('kinds');

export interface Pairs {
  readonly headers: Map<string, string>;
  readonly fields: Map<string, unknown>;
  /** What stands under a name for the body as a whole. */
  body?: unknown;
  /** Set where the words call the fields part of the address. */
  isQuery: boolean;
  /** A value that goes on in words that have no place: `title = Salt and pepper`. */
  cut?: string;
}

interface Pair {
  readonly name: string;
  readonly kind: 'header' | 'field' | 'body';
  readonly value: unknown;
  readonly to: number;
}

/**
 * Names with values, as headers and as fields: `with headers X-Key: 1 and Accept: text/csv`, `name=Ann and age=30`,
 * `set the status to done`, `with age 5`.
 * @param signsOnly true where fields are only those with `=`, because the request takes none otherwise
 */
export function readPairs(draft: Draft, signsOnly: boolean): Pairs {
  return new PairReader(draft, signsOnly).read();
}

class PairReader {
  private readonly pairs: Pairs = { headers: new Map(), fields: new Map(), isQuery: false };
  /** Where the next pair of a list would begin, and the next one of a list of headers with names of any look. */
  private listed = -1;
  private headed = -1;
  private isPlural = false;

  constructor(
    private readonly draft: Draft,
    private readonly signsOnly: boolean,
  ) {}

  read(): Pairs {
    const { draft } = this;
    for (let at = 0; at < draft.tokens.length; at++) {
      if (!draft.isFree(at)) continue;
      if (draft.isHeaderWord(at)) this.openHeaders(at);
      else if (at === this.headed && draft.tokens[at]?.kind === 'json') this.takeObject(at);
      else {
        const header = readHeader(draft, at, at === this.headed);
        const pair = header ? { ...header, kind: 'header' as const } : this.fieldAt(at);
        if (pair) at = this.take(pair, at) - 1;
      }
    }
    return this.pairs;
  }

  private openHeaders(at: number): void {
    this.draft.use(at);
    this.isPlural = this.draft.word(at).endsWith('s');
    this.headed = at + 1;
    while ([':', '=', 'called', 'named'].includes(this.draft.word(this.headed)))
      this.draft.use(this.headed++);
  }

  private takeObject(at: number): void {
    const { value } = this.draft.tokens[at] ?? {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [name, one] of Object.entries(value)) this.pairs.headers.set(name, String(one));
    this.draft.use(at);
  }

  private take({ name, kind, value, to }: Pair, at: number): number {
    const { draft, pairs } = this;
    if (kind === 'header') pairs.headers.set(name, String(value));
    else if (kind === 'body') pairs.body = value;
    else {
      pairs.isQuery ||= [1, 2, 3, 4].some((back) => QUERY.has(draft.word(at - back)));
      pairs.fields.set(name, value);
    }
    const isNameFree = kind === 'header' && headerName(draft, at) === undefined;
    draft.use(at, to);
    let next = to;
    while (SEPARATORS.has(draft.word(next)) || /^(?:whose|the|its|an?)$/.test(draft.word(next))) next++;
    if (kind !== 'header') this.listed = next;
    if (isNameFree && this.isPlural) this.headed = next;
    const isWritten = typeof value === 'string' && draft.tokens[to - 1]?.kind !== 'quoted';
    if (isWritten && (this.goesOn(to) || INNER_PHRASE.test(value))) pairs.cut = value;
    return to;
  }

  /** One more word, which neither goes on with the list nor starts another request. */
  private goesOn(at: number): boolean {
    const { draft } = this;
    const isWord = /^(?:and|,|&)$/.test(draft.word(at)) && draft.tokens[at + 1]?.kind === 'word';
    const isLast = /^[.?!;)]?$/.test(draft.word(at + 2)) || draft.leadsOn(at + 2);
    return isWord && isLast && draft.isFree(at + 1) && this.isName(at + 1);
  }

  private fieldAt(at: number): Pair | undefined {
    const { draft } = this;
    const token = draft.tokens[at];
    if (token?.kind !== 'word' && token?.kind !== 'quoted') return undefined;
    const { tie, to } = linkAt(draft, at + 1);
    const isCapital = tie === 'verb' && draft.word(at - 1) === '.';
    const text = isCapital
      ? token.text.replace(/^[A-Z](?=[a-z]+$)/, (first) => first.toLowerCase())
      : token.text;
    const name = token.kind === 'quoted' ? String(token.value) : text;
    const isListed = at === this.listed;
    const body = isListed || this.signsOnly ? undefined : this.bodyAt(at);
    if (body) return body;
    const isEquals = draft.word(at + 1) === '=';
    if (
      !isEquals &&
      (this.signsOnly || !(isListed || this.isName(at, tie === 'verb') || this.isOtherAddress(to)))
    )
      return undefined;
    const intro = this.introduction(at);
    // `set the price at https://… to 5`
    if (this.isOfTarget(at) && CHANGES.has(intro)) {
      const changed = readValue(draft, at + 4);
      return changed && { name, kind: 'field', ...changed };
    }
    if (tie === 'none')
      return isListed || LISTING.has(intro) || this.followsTarget(at) ? this.besideAt(at, name) : undefined;
    // `a new room: name = Oak`
    if (tie === 'sign' && draft.isNamed(to)) return undefined;
    const isPlaced = isListed || isEquals || (tie === 'preposition' ? CHANGES.has(intro) : intro !== '');
    const value = isPlaced ? readValue(draft, to) : undefined;
    return value && { name, kind: 'field', ...value };
  }

  /** `the body is just the number 5`, `with body hello`, `post the text hello`. */
  private bodyAt(at: number): Pair | undefined {
    const { draft } = this;
    const { tie, to } = linkAt(draft, at + 1);
    const before = draft.word(at - 1);
    const isTied = tie === 'none' ? /^(?:with|and|the|,)$/.test(before) : tie !== 'preposition';
    const isBody = BODY.test(draft.word(at)) && isTied && !NONE.has(before);
    const isText =
      TEXTS.test(draft.word(at)) && tie === 'none' && SENDS.test(draft.word(at - 2)) && ARTICLES.has(before);
    if (!isBody && !isText) return undefined;
    let start = to;
    while (KINDS.has(draft.word(start)) && !draft.isNamed(start)) start++;
    const isAbsent = ABSENT.has(draft.word(start)) || LABELS.has(draft.word(start)) || draft.leadsOn(start);
    // A list of fields may follow, which says itself what it is.
    if (isAbsent || draft.isNamed(start) || linkAt(draft, start + 1).tie !== 'none') return undefined;
    const value = readValue(draft, start);
    return value && { name: '', kind: 'body', ...value };
  }

  /** What leads to a name that starts here: a word, a mark, or nothing for one amid other words. */
  private introduction(at: number): string {
    const { draft } = this;
    let before = at - 1;
    if (ARTICLES.has(draft.word(before)) && !draft.startsLine(at)) before--;
    const word = draft.word(draft.word(before) === ':' ? before - 1 : before);
    if (LISTING.has(word) || CHANGES.has(word) || SENDING.has(word)) return word;
    // `Our site is slow`: without such a word, a name directly follows a boundary.
    if (before !== at - 1) return '';
    return at === 0 || draft.startsLine(at) || draft.isUsed(before) || draft.isMark(before) || word === 'and'
      ? '.'
      : '';
  }

  private isOfTarget(at: number): boolean {
    const { draft } = this;
    const leads = /^(?:of|on|at|for|in)$/.test(draft.word(at + 1)) && at + 2 === draft.target;
    return leads && draft.word(at + 3) === 'to';
  }

  /** `https://…, name Oak`; without a mark only before what cannot be a word of the sentence: `https://… name "Oak"`. */
  private followsTarget(at: number): boolean {
    const { draft } = this;
    if (/^[,:]$/.test(draft.word(at - 1))) return draft.isUsed(at - 2);
    return at - 1 === draft.target && /^(?:quoted|number)$/.test(draft.tokens[at + 1]?.kind ?? '');
  }

  /** `callback is https://…`: even a word for the address of a request is a name where another address follows. */
  private isOtherAddress(at: number): boolean {
    const token = this.draft.tokens[at];
    return token !== undefined && this.draft.isFree(at) && addressOf(token) !== undefined;
  }

  /** A verb of requests is a name only before a verb: `book is 9912`. */
  private isName(at: number, mayBeVerb = false): boolean {
    const word = this.draft.word(at);
    if (LABELS.has(word) || STOP_WORDS.has(word) || POLITENESS.has(word) || word.includes("'")) return false;
    return mayBeVerb || !isRequestVerb(word);
  }

  /** The number in `score 4200 level 7`, which another name with its value follows. */
  private numberAt(at: number): { value: unknown; to: number } | undefined {
    const [number, name, next] = this.draft.tokens.slice(at, at + 3);
    const isAlone = name?.kind === 'word' && (next?.kind === 'number' || next?.kind === 'quoted');
    return number?.kind === 'number' && isAlone ? { value: number.value, to: at + 1 } : undefined;
  }

  /** A name and a value side by side. The value has to look like one, as any two words stand side by side. */
  private besideAt(at: number, name: string): Pair | undefined {
    const { draft } = this;
    const isNamed = this.isName(at) && (at === this.listed || !KINDS.has(draft.word(at)));
    const value = isNamed ? (this.numberAt(at + 1) ?? readValue(draft, at + 1)) : undefined;
    const words = draft.tokens.slice(at + 1, value?.to);
    return value &&
      words.every(({ text, kind }) => kind !== 'word' || /^\p{Lu}|\d|^(?:true|false|null)$/u.test(text))
      ? { name, kind: 'field', ...value }
      : undefined;
  }
}
