import { isTypoOf } from '../text/edit-distance';
import { ARTICLES, POLITENESS } from '../text/stop-words';
import type { Token, TokenText } from '../text/token';
import { isMethodName } from './method-names';
import { wordsTagged } from '../text/lexicon/words';

const ADDRESS = /^https?:\/\/[^\s/]\S*$/i;
/** Nouns that name a part of a request. */
export const LABELS = wordsTagged('labels');
/** Prepositions that lead from one part of a request to the next. */
const LEADS = wordsTagged('draft-leads');
const ASKING = new Set('who whose which what when where how is are was were does did'.split(' '));
/** Longest unquoted value, tokens. */
const MAX_VALUE_TOKENS = 40;

/** The web address that a token is, also in quotes. */
export function addressOf({ kind, value }: Token): string | undefined {
  const isAddress = kind === 'url' || kind === 'domain' || (kind === 'quoted' && ADDRESS.test(String(value)));
  return isAddress ? String(value) : undefined;
}

/** A request that is being read: its tokens, and which of them are explained. */
export class Draft {
  readonly tokens: readonly Token[];
  /** The token of the address, -1 without one. */
  readonly target: number;
  /** Whether a question begins somewhere in the text. */
  readonly asks: boolean;
  private readonly used = new Set<number>();

  constructor(readonly text: TokenText) {
    this.tokens = text.tokens;
    this.target = this.findTarget();
    this.use(this.target);
    this.asks = this.tokens.some(
      ({ lower }, at) => ASKING.has(lower) && (this.startsLine(at) || this.isMark(at - 1)),
    );
  }

  word(at: number): string {
    return this.tokens[at]?.lower ?? '';
  }

  use(from: number, to = from + 1): void {
    for (let at = from; at < to; at++) this.used.add(at);
  }

  isUsed(at: number): boolean {
    return this.used.has(at);
  }

  isFree(at: number): boolean {
    return at >= 0 && at < this.tokens.length && !this.used.has(at);
  }

  rest(): readonly Token[] {
    return this.tokens.filter((_, at) => this.isFree(at));
  }

  startsLine(at: number): boolean {
    const [before, token] = [this.tokens[at - 1], this.tokens[at]];
    return !before || !token || this.text.source.slice(before.end, token.start).includes('\n');
  }

  /** True for punctuation of the sentence rather than of a value such as `text/html`. */
  isMark(at: number): boolean {
    const { kind, text, end } = this.tokens[at] ?? { kind: 'word', text: '', end: 0 };
    if (kind !== 'symbol' || !/^[.,;:?!()<>&*•|/-]$/.test(text)) return false;
    return /[()&]/.test(text) || !/\S/.test(this.text.source.charAt(end));
  }

  isHeaderWord(at: number): boolean {
    return ['header', 'headers'].some((word) => isTypoOf(this.word(at), word));
  }

  /** `to https://…`, `by PUT`, `as a JSON body`: where another part of the request begins. */
  leadsOn(at: number): boolean {
    if (!LEADS.has(this.word(at))) return false;
    let next = at + 1;
    while (
      next < at + 4 &&
      this.isFree(next) &&
      (ARTICLES.has(this.word(next)) || POLITENESS.has(this.word(next)))
    )
      next++;
    return this.used.has(next) || LABELS.has(this.word(next)) || isMethodName(this.word(next));
  }

  /** Where an unquoted value that starts here ends. */
  valueEnd(start: number): number {
    let at = start;
    while (
      at < start + MAX_VALUE_TOKENS &&
      this.isFree(at) &&
      !this.isMark(at) &&
      !(at > start && this.isNextPart(at))
    )
      at++;
    return at;
  }

  private isNextPart(at: number): boolean {
    const word = this.word(at);
    if (word === 'and' || word === 'then' || POLITENESS.has(word)) return true;
    return this.startsLine(at) || this.leadsOn(at) || this.isHeaderWord(at) || this.isNamed(at);
  }

  /** True for the name in `name=value` and `name: value`. */
  isNamed(at: number): boolean {
    const [name, sign, value] = this.tokens.slice(at, at + 3);
    if (!name || !sign || !value || (name.kind !== 'word' && name.kind !== 'quoted')) return false;
    return sign.text === '=' || (sign.text === ':' && sign.start === name.end && value.start > sign.end);
  }

  /** The first address that is no value itself: `to https://…` rather than `callback is https://…`. */
  private findTarget(): number {
    const addresses = [...this.tokens.entries()].filter(([, token]) => addressOf(token) !== undefined);
    // A quoted address, or one without its scheme, counts only where there is no plain one.
    const kind = ['url', 'quoted', 'domain'].find((one) => addresses.some(([, token]) => token.kind === one));
    const found = addresses.flatMap(([at, token]) => (token.kind === kind ? [at] : []));
    const plain = found.find(
      (at) => !/^(?::|=|is|be)$/.test(this.word(at - 1)) || LABELS.has(this.word(at - 2)),
    );
    return plain ?? found[0] ?? -1;
  }
}
