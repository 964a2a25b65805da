import { verbOf } from '../recall/verbs';
import { baseForm } from '../recall/words';
import { ARTICLES, POLITENESS, STOP_WORDS } from '../text/stop-words';
import { stem } from '../text/stem';
import type { Token } from '../text/token';
import { findChoices, type ChoiceHit } from './choices';
import { isCapital, startsSentence } from './names';
import { isGlued, MAX_TOKENS } from './spans';
import { isKnownWord } from './synonyms';
import { termsOf } from './tool-terms';
import type { View } from './view';

/** Words that lead to a value, or part two values; each is a class of its own. */
const LEADING = new Set(
  (
    'to from in on at for of with by about into regarding near as called titled named that under during around without per via ' +
    'using and or but then so because if saying says is are was has have needs wants be it my until since'
  ).split(' '),
);
const STOPS = new Set(['.', '?', '!', ';']);
const DASHES = new Set(['-', '–', '—', '/', '(', ')']);
/** Classes of words inside of which a value neither begins nor ends. */
const INNER = new Set(['word', 'caps']);

const cache = new WeakMap<View, readonly string[]>();

/** The class of each token: of a sign or a leading word itself, of others what it may be for the tool. */
export function classesOf(view: View): readonly string[] {
  const known = cache.get(view);
  if (known) return known;
  const classes = compute(view);
  cache.set(view, classes);
  return classes;
}

function compute(view: View): string[] {
  const tokens = view.tokens.slice(0, MAX_TOKENS);
  const classes = tokens.map((token, at) =>
    isCapital(token) && !startsSentence(tokens, at) ? 'caps' : classOf(view, token),
  );
  const mark = (name: string, ranges: readonly { readonly from: number; readonly to: number }[]): void => {
    for (const { from, to } of ranges) classes.fill(name, from, to);
  };
  // `Harbour Lodge` is a name, even where one may choose lodging.
  const isClear = ({ likeness, from }: ChoiceHit): boolean =>
    likeness === 1 || (likeness >= 0.8 && classes[from] !== 'caps');
  mark('number', view.spans.numbers);
  for (const { parameter } of view.slots)
    if (parameter.enum) mark('choice', findChoices(tokens, parameter).filter(isClear));
  classes.forEach((name, at) => {
    // `20 car batteries`: after an article, a number or a noun a word that may be a verb is none.
    if (
      /^(?:known|verb)$/.test(name) &&
      /^(?:article|number|word|own|choice|of)$/.test(classes[at - 1] ?? '')
    )
      classes[at] = 'word';
  });
  mark('moment', view.spans.temporals);
  return classes;
}

function classOf(view: View, token: Token): string {
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
  if (isCapital(token)) return 'caps';
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
