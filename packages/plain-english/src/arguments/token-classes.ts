import { isClosedKind, isKindOf } from '../recall/kinds';
import { verbOf } from '../recall/verbs';
import { sensesOf } from '../recall/wordnet';
import { baseForm } from '../text/base-forms';
import { onceFor } from '../text/once-for';
import { ARTICLES, POLITENESS, STOP_WORDS } from '../text/stop-words';
import { stem } from '../text/stem';
import type { Token } from '../text/token';
import { findChoices, type ChoiceHit } from './choices';
import { isCapital, startsSentence } from './names';
import { isGlued, MAX_TOKENS } from './spans';
import { isNumberOfName } from './numbered-names';
import { isCurrency } from './quantities';
import { isKnownWord } from './synonyms';
import { termsOf } from './tool-terms';
import { unitOf } from './units';
import type { View } from './view';
import vocabulary from './vocabulary.json';

/** Words that lead to a value, or part two values; each is a class of its own. */
const LEADING = new Set(vocabulary.leading.split(' '));
const STOPS = new Set(['.', '?', '!', ';']);
const DASHES = new Set(['-', '–', '—', '/', '(', ')']);
/** Classes of words inside of which a value neither begins nor ends. */
const INNER = new Set(['word', 'caps']);

/** What follows a verb that begins a request: `Submit a form`, `Sign me up`. */
const AFTER_REQUEST = /^(?:an?|the|my|our|me|us|up|down|it|this|that|these|some|all|in|out|\d.*)$/;
/** What follows a verb rather than a noun: `headsets delivered to`, `boxes needed by`. */
const LED_TO = new Set(['to', 'by', 'from', 'at', 'on', 'into', 'edge', 'stop', ',', 'moment']);

/** A word that a number is measured in, and that is part of no name: `40 l`, `9.5 °C`. */
export function isUnit(token: Token | undefined): boolean {
  return token?.kind === 'word' && (unitOf(token.lower) !== undefined || isCurrency(token.lower));
}

/** The class of each token: of a sign or a leading word itself, of others what it may be for the tool. */
export const classesOf = onceFor((view: View): readonly string[] => {
  const tokens = view.tokens.slice(0, MAX_TOKENS);
  const classes = tokens.map((token, at) =>
    isCapital(token) && !startsSentence(tokens, at)
      ? 'caps'
      : classOf(view, token, isCapital(token) && AFTER_REQUEST.test(tokens[at + 1]?.lower ?? '')),
  );
  const mark = (name: string, ranges: readonly { readonly from: number; readonly to: number }[]): void => {
    for (const { from, to } of ranges) classes.fill(name, from, to);
  };
  // `Harbour Lodge` is a name, even where one may choose lodging.
  const isClear = ({ likeness, from }: ChoiceHit): boolean =>
    likeness === 1 || (likeness >= 0.8 && classes[from] !== 'caps');
  mark('number', view.spans.numbers);
  for (const { to } of view.spans.numbers) {
    for (let at = to; isUnit(tokens[at]); at++) classes[at] = 'unit';
  }
  for (const { parameter } of view.slots)
    if (parameter.enum) mark('choice', findChoices(tokens, parameter).filter(isClear));
  classes.forEach((name, at) => {
    // `20 car batteries`: after an article, a number or a noun a word that may be a verb is not a verb, unless its own object follows.
    const isNoun = /^(?:article|number|word|own|choice|of)$/.test(classes[at - 1] ?? '');
    const isVerb = name === 'verb' && classes[at - 1] !== 'article' && LED_TO.has(classes[at + 1] ?? 'edge');
    if (/^(?:known|verb)$/.test(name) && isNoun && !isVerb) classes[at] = 'word';
  });
  tokens.forEach((_, at) => {
    if (isNumberOfName(tokens, at)) classes[at] = classes[at - 1] ?? '';
  });
  mark('moment', view.spans.temporals);
  tokens.forEach(({ kind, lower }, at) => {
    if (kind === 'word' && INNER.has(classes[at] ?? '') && isOfKind(view, lower)) classes[at] = 'of kind';
  });
  return classes;
});

/** `green` where a parameter is called colour: a word that is a value by itself. */
function isOfKind({ slots }: View, lower: string): boolean {
  return slots.some(({ nameWords }) => {
    const head = nameWords.at(-1) ?? '';
    return isClosedKind(head) && isKindOf(lower, head);
  });
}

function classOf(view: View, token: Token, isRequest: boolean): string {
  const { kind, lower, text } = token;
  if (kind === 'quoted') return 'quoted';
  if (kind === 'symbol')
    return STOPS.has(text) ? 'stop' : DASHES.has(text) ? 'dash' : text === '=' ? ':' : text;
  if (kind !== 'word' && kind !== 'dotted') return 'form';
  if (/\d/.test(text)) return 'code';
  if (LEADING.has(lower)) return lower;
  if (ARTICLES.has(lower)) return 'article';
  if (POLITENESS.has(lower)) return 'polite';
  if (STOP_WORDS.has(lower)) return 'function';
  const own = stem(lower);
  const { name, verbs } = termsOf(view.tool);
  if (view.slots.some(({ nameStems }) => nameStems.has(own))) return 'own';
  if (name.includes(own) || verbs.includes(own)) return 'tool';
  if (isKnownWord(own)) return 'known';
  // `Cool the room` begins with what is to be done, `Hart needs a room` with a name.
  if (isCapital(token) && !(isRequest && sensesOf(lower, 'verb').length > 0)) return 'caps';
  if (isRequest) return 'verb';
  return verbOf(lower) === undefined || (baseForm(lower) === lower && !/(?:s|ed|ing)$/.test(lower))
    ? 'word'
    : 'verb';
}

/** True where a value may begin or end between two tokens. */
export function isBoundary(view: View, at: number): boolean {
  const classes = classesOf(view);
  const [before, after] = [classes[at - 1], classes[at]];
  if (before === undefined || after === undefined) return true;
  if (isGlued(view.tokens, at)) return false;
  return before !== after || !INNER.has(after);
}

/** The token before a place, articles passed over. */
export function leadIndex({ tokens }: View, from: number): number {
  let at = from - 1;
  while (ARTICLES.has(tokens[at]?.lower ?? '')) at--;
  return at;
}
