import { HTTP_METHODS, type HttpMethod } from '../known-tools';
import { isMethodName } from './method-names';
import { isTypoOf } from '../text/edit-distance';
import { gerundOf } from '../text/base-forms';
import { stem } from '../text/stem';
import { ARTICLES, POLITENESS } from '../text/stop-words';
import { lowerAt, type Token } from '../text/token';
import type { Draft } from './draft';
import { wordsTagged } from '../text/lexicon/words';

/** Verbs in their plain form, by the method that they mean. */
const VERBS: Readonly<Partial<Record<HttpMethod, string>>> = {
  GET:
    'get fetch call hit load retrieve download open visit query request ping read check curl grab pull access browse look show ' +
    'see wget view try test reach scrape inspect find give list display return poll probe verify ask',
  POST: 'post send submit create push publish upload add deliver transmit register insert log store trigger save',
  PUT: 'put replace update overwrite',
  PATCH: 'patch modify amend change set edit adjust alter correct rename switch',
  DELETE: 'delete remove erase destroy wipe drop rid',
};
const METHOD_OF = new Map<string, HttpMethod>();
for (const method of HTTP_METHODS) {
  for (const verb of [method.toLowerCase(), ...(VERBS[method] ?? '').split(' ')]) {
    if (verb === '') continue;
    METHOD_OF.set(verb, method);
    METHOD_OF.set(gerundOf(verb), method);
  }
}
/** Verbs that say that something is only read; with a body to send, every other one of GET is a POST. */
const READ_ONLY = wordsTagged('read-only');
/** Verbs that say how a request is made rather than which, where another verb is there. */
const VAGUE = wordsTagged('methods-vague');
/** Verbs that are recognized with one slip of the keyboard. */
const SLIPS = 'delete fetch retrieve download submit create update replace remove patch'.split(' ');
const MIN_SLIP = 5;
const BEFORE_NAME = wordsTagged('before-name');
const AFTER_NAME = new Set('request requests method call'.split(' '));
const HEAD_ONLY = /\bthe head of\b|\b(?:just|only) the headers? (?:of|for|from)\b/;
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request of this method changes nothing at the other side. */
export function isReadingMethod(method: unknown): boolean {
  return typeof method === 'string' && READING.has(method.toUpperCase());
}

/** Words that make a clause one about an HTTP request even without an address. */
export function isRequestVerb(word: string): boolean {
  return methodOf(word) !== undefined;
}

export interface MethodWords {
  /** Undefined where no word says it. */
  readonly method?: HttpMethod;
  /** Whether the words rule a body out that is not given as one. */
  readonly readsOnly: boolean;
  /** Whether the method stands there by its name, `a POST`, rather than as a verb. */
  readonly isNamed: boolean;
}

/** What the words outside of values say of the method. */
export function readMethod(draft: Draft): MethodWords {
  const words = draft.tokens.filter(({ kind }, at) => kind === 'word' && !isValue(draft, at));
  const named = words.find((_, at) => isNamed(words, at));
  if (named) {
    const method = METHOD_OF.get(named.lower) ?? 'GET';
    return { method, readsOnly: isReadingMethod(method), isNamed: true };
  }
  if (HEAD_ONLY.test(words.map(({ lower }) => lower).join(' ')))
    return { method: 'HEAD', readsOnly: true, isNamed: true };
  const orders = new Set(draft.tokens.filter((_, at) => mayOrder(draft, at)));
  // `delete the post at …`: a noun.
  const verbs = words.filter(
    (token, at) =>
      isRequestVerb(token.lower) &&
      (isReadingMethod(methodOf(token.lower)) || orders.has(token)) &&
      !ARTICLES.has(lowerAt(words, at - 1)) &&
      words[at + 1]?.lower !== 'rid',
  );
  const starts = new Set(draft.tokens.filter((_, at) => startsClause(draft, at)));
  const verb =
    verbs.find(({ lower }) => isMethodName(lower) && !isReadingMethod(lower)) ??
    verbs.find((one) => starts.has(one) && !VAGUE.has(one.lower)) ??
    verbs.find(({ lower }) => !VAGUE.has(lower)) ??
    verbs.find(({ lower }) => methodOf(lower) === 'GET') ??
    verbs[0];
  const readsOnly = READ_ONLY.has(verb?.lower ?? '');
  return { ...(verb ? { method: methodOf(verb.lower) ?? 'GET' } : {}), readsOnly, isNamed: false };
}

/**
 * Whether a word may be an order to change something. In a text with a question, such a word amid others is a noun or a slip, as in
 * `who wrote the newest post at …` and `is … remote?`.
 */
export function mayOrder(draft: Draft, at: number): boolean {
  return !draft.asks || startsClause(draft, at) || /^(?:to|and|then|you|by)$/.test(draft.word(at - 1));
}

/** An order rather than a noun such as the one in `the price list`. */
function startsClause(draft: Draft, at: number): boolean {
  return draft.startsLine(at) || draft.isMark(at - 1) || POLITENESS.has(draft.word(at - 1));
}

/** `X-Method: PUT`, `action = delete`, `action: delete, …`. */
function isValue(draft: Draft, at: number): boolean {
  const [name, sign, after] = [draft.word(at - 2), draft.word(at - 1), draft.word(at + 1)];
  if (sign === '=' || after === '=') return true;
  return sign === ':' && name !== 'method' && (name.includes('-') || /^(?:,|and|;|)$/.test(after));
}

/** `a POST request`, `as a put`, or a method in capitals. `delete a post` has a verb of another method before it. */
function isNamed(words: readonly Token[], at: number): boolean {
  const { lower, text } = words[at] ?? { lower: '', text: '' };
  if (!isMethodName(lower)) return false;
  if (text === text.toUpperCase() || AFTER_NAME.has(words[at + 1]?.lower ?? '')) return true;
  const verb = words[at - 2]?.lower ?? '';
  return BEFORE_NAME.has(words[at - 1]?.lower ?? '') && (!isRequestVerb(verb) || VAGUE.has(verb));
}

/** The method of a verb, also of one with a slip of the keyboard; a form such as `deleted` is no slip. */
export function methodOf(word: string): HttpMethod | undefined {
  const method = METHOD_OF.get(word);
  if (method ?? word.length < MIN_SLIP) return method;
  const meant = SLIPS.find(
    (verb) => isTypoOf(word, verb) && stem(word) !== stem(verb) && !word.startsWith(verb),
  );
  return meant === undefined ? undefined : METHOD_OF.get(meant);
}
