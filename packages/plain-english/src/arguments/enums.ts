import type { ToolParameter } from '../types';
import { isTypoOf } from '../text/edit-distance';
import { stem, wordsOf } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { isAlias } from './enum-aliases';
import { isKnownWord } from './synonyms';

/** A choice found in a sentence. */
export interface EnumHit {
  readonly value: string;
  readonly from: number;
  readonly to: number;
  /** True where it stands letter by letter. */
  readonly exact: boolean;
}

const cache = new WeakMap<ToolParameter, readonly Choice[]>();

/** The choices with their words, the longest first. */
function choicesOf(parameter: ToolParameter): readonly Choice[] {
  const known = cache.get(parameter);
  if (known) return known;
  const choices = (parameter.enum ?? [])
    .map((value) => ({ value, lower: value.toLowerCase(), words: wordsOf(value) }))
    .filter(({ words }) => words.length > 0)
    .sort((a, b) => b.words.length - a.words.length);
  cache.set(parameter, choices);
  return choices;
}

/** Every place where one of the parameter's choices stands, longest first at each place. */
export function findEnumHits(tokens: readonly Token[], parameter: ToolParameter): EnumHit[] {
  const byLength = choicesOf(parameter);
  const hits: EnumHit[] = [];
  for (let at = 0; at < tokens.length;) {
    const hit = hitAt(tokens, at, byLength);
    if (hit) hits.push(hit);
    at = hit ? hit.to : at + 1;
  }
  return hits;
}

interface Choice {
  readonly value: string;
  readonly lower: string;
  readonly words: readonly string[];
}

function hitAt(tokens: readonly Token[], at: number, choices: readonly Choice[]): EnumHit | undefined {
  const kind = tokens[at]?.kind;
  if (kind === 'number' || kind === 'json' || kind === 'url') return undefined;
  // Of signs only those of currencies say a choice.
  if (kind === 'symbol' && !/\p{Sc}/u.test(tokens[at]?.text ?? '')) return undefined;
  const exact = choices.find(({ words, lower }) => matches(tokens, at, words, lower, (a, b) => a === b));
  if (exact) return hit(exact, tokens, at, true);
  const near = choices.find(({ words, lower }) =>
    matches(
      tokens,
      at,
      words,
      lower,
      (a, b) => isAlias(a, b) || (a.length > 3 && stem(a) === stem(b)) || isTypoOf(a, b),
    ),
  );
  if (near) return hit(near, tokens, at, false);
  const written = tokens[at]?.kind === 'word' ? tokens[at].lower : '';
  if (written === '') return undefined;
  const joined = choices.find(({ words }) => joinedLength(tokens, at, words.join('')) > 0);
  if (joined) {
    const { value, words } = joined;
    return { value, from: at, to: at + joinedLength(tokens, at, words.join('')), exact: false };
  }
  const short = choices.filter(({ lower }) => isShortFor(written, lower) || isCompoundOf(written, lower));
  const [only] = short;
  return only && short.length === 1 ? { value: only.value, from: at, to: at + 1, exact: false } : undefined;
}

/** How many tokens say a choice with other gaps: `check-up`, `check up` and `checkup`, `oilchange` and `oil_change`. */
function joinedLength(tokens: readonly Token[], at: number, wanted: string): number {
  let written = '';
  for (let end = at; end < Math.min(at + 3, tokens.length); end++) {
    if (tokens[end]?.kind !== 'word') return 0;
    written += (tokens[end]?.lower ?? '').replace(/[-_'’]/g, '');
    if (written.length >= wanted.length) return isSameOrPlural(written, wanted) ? end + 1 - at : 0;
  }
  return 0;
}

function isSameOrPlural(written: string, wanted: string): boolean {
  return written === wanted || written === `${wanted}s` || (wanted.length > 7 && isTypoOf(written, wanted));
}

/** `vacc` for `vaccination`; a word with a meaning of its own is short for nothing. */
function isShortFor(written: string, choice: string): boolean {
  return (
    written.length >= 4 &&
    choice.length - written.length >= 3 &&
    choice.startsWith(written) &&
    !STOP_WORDS.has(written) &&
    !isKnownWord(stem(written))
  );
}

/** `creditcard` for `credit`. */
function isCompoundOf(written: string, choice: string): boolean {
  return choice.length >= 5 && written.length - choice.length >= 4 && written.startsWith(choice);
}

function hit({ value, words }: Choice, tokens: readonly Token[], at: number, exact: boolean): EnumHit {
  const whole = wordsOf(tokens[at]?.text ?? '').length === words.length && words.length > 1;
  return { value, from: at, to: whole ? at + 1 : at + words.length, exact };
}

function matches(
  tokens: readonly Token[],
  at: number,
  words: readonly string[],
  lower: string,
  same: (written: string, wanted: string) => boolean,
): boolean {
  const first = tokens[at];
  if (!first || first.kind === 'json') return false;
  const shown = first.kind === 'quoted' ? String(first.value).toLowerCase() : first.lower;
  // `in progress`, `in-progress` and `in_progress` are one choice.
  if (shown === lower || (/[_\s-]/.test(shown) && wordsOf(shown).join(' ') === words.join(' '))) return true;
  if (first.kind === 'quoted') return false;
  return words.every((word, offset) => {
    const token = tokens[at + offset];
    return (
      token !== undefined && ['word', 'symbol', 'number'].includes(token.kind) && same(token.lower, word)
    );
  });
}
