import { isRequestVerb } from '../http/methods';
import { keyWords } from '../json/key-words';
import { stem } from '../text/stem';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import { lowerAt, type Token } from '../text/token';
import { wordsTagged } from '../text/lexicon/words';

const ASKING = wordsTagged('asks-document-asking');
/** Values that a request sends rather than a question asks about. */
const SENT = new Set(['quoted', 'email', 'phone', 'date', 'time']);
const TALKING = new Set('i we you u'.split(' '));
const BEFORE_SOURCE = /^(?:of|in|at|from|on|for|to|under|and|[^a-z0-9]+)$/;
const TELLING = wordsTagged('telling');

/** How requests are made, and what would come of one, no document says. */
const ABOUT_REQUESTS =
  /\bhow (?:do|can|would|should|could) (?:i|you|we|one)\b|\b(?:why|what happens|what if|what would happen|should i|is it (?:ok|safe|possible|allowed))\b/;

/** True for a question, for a request, and for no more than the name of what is wanted; not for what only tells something. */
export function asksDocument(tokens: readonly Token[]): boolean {
  const said = tokens.map(({ lower }) => lower).join(' ');
  if (ABOUT_REQUESTS.test(said)) return false;
  if (tokens.some(({ lower }) => ASKING.has(lower))) return true;
  if (tokens.some(({ text }) => text === '?')) return !tokens.some(({ lower }) => TALKING.has(lower));
  const isFragment = !tokens.some(
    ({ lower, kind }) => TELLING.has(lower) || TALKING.has(lower) || SENT.has(kind),
  );
  const isNamed = tokens.every(
    ({ kind }, at) =>
      kind !== 'url' || at === 0 || at === tokens.length - 1 || BEFORE_SOURCE.test(lowerAt(tokens, at - 1)),
  );
  return isFragment && isNamed;
}

/** The method in capitals, or named as such, is meant; a verb such as `add` or `put` may be about the number to find. */
export function asksForNumber(tokens: readonly Token[]): boolean {
  const verb = tokens.findIndex(({ lower }) => CHANGING.has(lower));
  const address = tokens.findIndex(({ kind }) => kind === 'url');
  const [token, next] = [tokens[verb], tokens[verb + 1]];
  if (
    !token ||
    /^[A-Z]+$/.test(token.text) ||
    next?.lower === 'request' ||
    (verb < address && address - verb < 3)
  )
    return false;
  return (
    verb > address ||
    next?.kind === 'number' ||
    tokens.slice(0, verb).some(({ lower }) => /^(?:what|how|which|who)$/.test(lower)) ||
    tokens.slice(verb, address).some(({ lower }) => /^(?:to|the|all|up)$/.test(lower))
  );
}

const CHANGING = new Set('add put adding putting'.split(' '));

/** `fetch https://… and`: the verb of the request is no word of the question. */
export function withoutFetching(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ lower, kind }, at) => {
    if (kind !== 'word' || lower === 'what' || lower === 'add' || !isRequestVerb(lower)) return true;
    const start = tokens
      .slice(0, at)
      .findLastIndex(
        (before) => before.kind === 'symbol' || before.lower === 'and' || before.lower === 'then',
      );
    const isFirst = tokens
      .slice(start + 1, at)
      .every((before) => POLITENESS.has(before.lower) || STOP_WORDS.has(before.lower));
    const address = tokens.findIndex(({ kind: next }, index) => index > at && next === 'url');
    const between = tokens.slice(at + 1, address);
    const isPlain = between.every(
      (next) => WHOLE.has(next.lower) || STOP_WORDS.has(next.lower) || next.kind === 'symbol',
    );
    return !isFirst || address === -1 || (!isPlain && between.length > 5) || (!isPlain && /ing$/.test(lower));
  });
}

/** Words for a response as a whole. */
const WHOLE = wordsTagged('asks-document-whole');

const ASKING_KINDS = wordsTagged('asking-kinds');

/** True where nothing is asked of a response, but to have it: what is left are words for it, and those of its address. */
export function asksNothing(tokens: readonly Token[]): boolean {
  const addresses = tokens.flatMap(({ kind, lower }) => (kind === 'url' ? keyWords(lower) : [])).map(stem);
  return tokens.every(
    ({ kind, lower }) =>
      !ASKING_KINDS.has(kind) ||
      WHOLE.has(lower) ||
      (kind === 'word' && addresses.includes(stem(lower))) ||
      STOP_WORDS.has(lower) ||
      POLITENESS.has(lower) ||
      isRequestVerb(lower) ||
      lower === 'return',
  );
}
