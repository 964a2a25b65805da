import { setOf } from '../text/lexicon/words';
import { onceFor } from '../text/once-for';
import { ARTICLES, POLITENESS, STOP_WORDS } from '../text/stop-words';
import { verbOf } from '../recall/verbs';
import { isMainlyKindOf } from '../recall/kinds';
import { isCommonNoun, remembered } from '../recall/wordnet';
import { isIdLike } from '../text/id-like';
import { isCapital, startsSentence, TITLES } from './names';
import { MAX_TOKENS, overlap, type Range } from './spans';
import { isNumberOfName } from './numbered-names';
import { classesOf, isBoundary } from './token-classes';
import { labelsIn } from './labels';
import { isToolWord, type View } from './view';

/** A stretch that may be the value of a text parameter, with what it looks like. */
export interface TextSpan extends Range {
  /** True where it is long, or goes on after a sign: free text or a title, and nothing else. */
  readonly isLong: boolean;
  /** True where its first or its last word only joins others. */
  readonly isFragment: boolean;
  readonly features: readonly string[];
}

/** Longest value that may end anywhere, tokens; a longer one is free text, which ends with its sentence. */
const MAX_SHORT = 8;
/** How many ends are tried for each beginning. */
const MAX_ENDS = 8;
/** The maximum for a request; a text with more is not one. */
const MAX_SPANS = 600;

const NOT_FIRST = setOf(", stop : and or but then so 's ) & +");
const NOT_LAST = setOf(', stop : dash article and or but polite is was are has have');

/** Every stretch between two places where a value may begin and end. */
export const textSpans = onceFor((view: View): readonly TextSpan[] => {
  const spans: TextSpan[] = [];
  const length = Math.min(view.tokens.length, MAX_TOKENS);
  for (let from = 0; from < length && spans.length < MAX_SPANS; from++) {
    if (!isFirst(view, from)) continue;
    for (const to of endsFrom(view, from, length))
      if (!isEmpty(view, { from, to }) && !cutsForm(view, { from, to }))
        spans.push({
          from,
          to,
          isLong: isLong(view, { from, to }),
          isFragment: isFragment(view, { from, to }),
          features: featuresOf(view, { from, to }),
        });
  }
  return spans;
});

function isFirst(view: View, at: number): boolean {
  const classes = classesOf(view);
  return isBoundary(view, at) && !NOT_FIRST.has(classes[at] ?? '') && classes[at] !== 'dash';
}

function endsFrom(view: View, from: number, length: number): number[] {
  const classes = classesOf(view);
  if (classes[from] === 'quoted') return [from + 1];
  const ends: number[] = [];
  for (let to = from + 1; to <= length && ends.length < MAX_ENDS; to++) {
    const isEnd = to - from > MAX_SHORT ? isMajor(view, to) : isBoundary(view, to);
    if (isEnd && (to === from + 1 || !NOT_LAST.has(classes[to - 1] ?? ''))) ends.push(to);
  }
  return ends;
}

function isLong(view: View, { from, to }: Range): boolean {
  const inner = classesOf(view).slice(from, to);
  return (
    to - from > MAX_SHORT || (inner.some((name) => /^(?:stop|:|dash|,|quoted)$/.test(name)) && to - from > 1)
  );
}

/** Classes of words that no name of a thing, a person or a place begins or ends with in small letters. */
const OUTER = /^(?:word|caps|own|tool|known|verb|of kind|code|form|quoted|number|choice|moment|#|@)$/;

/** True where a stretch cuts a date or an address in two, or begins or ends with a word that only joins. */
function isFragment(view: View, { from, to }: Range): boolean {
  const classes = classesOf(view);
  const isOuter = (at: number): boolean =>
    OUTER.test(classes[at] ?? '') || (classes[at] !== 'unit' && isCapital(view.tokens[at]));
  // `Save Omar Said` begins with what is to be done.
  const isRequest = startsSentence(view.tokens, from) && /^(?:known|tool|verb)$/.test(classes[from] ?? '');
  return !isOuter(from) || !isOuter(to - 1) || isRequest;
}

function cutsForm({ tokens, spans }: View, { from, to }: Range): boolean {
  // `Unit` of `Unit 7`
  if (isNumberOfName(tokens, to) || isNumberOfName(tokens, from)) return true;
  return [...spans.temporals, ...spans.addresses].some(
    (one) => overlap(one, { from, to }) && (one.from < from || one.to > to),
  );
}

/** Words without any content are the value of nothing, unless they are announced or written as a name. */
function isEmpty(view: View, { from, to }: Range): boolean {
  // `saying hi`
  if (labelsIn(view).some(({ value, strength }) => value === from && strength > 1)) return false;
  return view.tokens
    .slice(from, to)
    .every((token) => (token.kind === 'symbol' || isEmptyWord(token.lower)) && !isCapital(token));
}

/** The end of a sentence, and what announces another value. */
function isMajor(view: View, at: number): boolean {
  const next = classesOf(view)[at];
  if (next === undefined || /^(?:stop|dash|,|form|moment|quoted|polite)$/.test(next)) return true;
  return labelsIn(view).some(({ from, strength }) => from === at && strength > 1);
}

function featuresOf(view: View, range: Range): string[] {
  const { tokens } = view;
  const { from, to } = range;
  const classes = classesOf(view);
  const within = tokens.slice(from, to);
  const inner = classes.slice(from, to);
  const [first, last] = [within[0], within.at(-1)];
  if (!first || !last) return [];
  if (first.kind === 'quoted') return ['quoted'];
  const size = to - from;
  const has = (name: string): boolean => inner.includes(name);
  const features = [
    shapeOf(view, range),
    `length ${size > 8 ? 'long' : size > 4 ? '5-8' : size > 2 ? '3-4' : String(size)}`,
    `first ${inner[0] ?? ''}`,
    `last ${inner.at(-1) ?? ''}`,
  ];
  const add = (name: string, isSo: boolean): void => {
    if (isSo) features.push(name);
  };
  add('has sentence', has('stop'));
  add('has comma', has(','));
  add('has colon', has(':'));
  add('has choice', has('choice'));
  add('has form', has('form') || has('quoted'));
  add('has moment', has('moment'));
  add('has number', has('number'));
  add(
    'has leading',
    within.some((_, at) => LEADS.has(inner[at] ?? '')),
  );
  add('has and', has('and'));
  add(
    'has label',
    labelsIn(view).some((label) => label.from > from && label.from < to && label.strength > 1),
  );
  features.push(...headOf(view, range));
  add(
    'only tool',
    within.every((token) => isEmptyWord(token.lower) || isToolWord(view, token.lower)),
  );
  add('tool first', isToolWord(view, first.lower));
  add('sentence first', startsSentence(tokens, from));
  add('verb first', startsSentence(tokens, from) && verbOf(first.lower) !== undefined);
  add('titled', TITLES.has(first.lower));
  return features;
}

const LEADS = new Set(
  'to from in on at for of with by about into as that per via called titled named saying'.split(' '),
);

const PRONOUNS = /^(?:some|any|every|no)(?:thing|one|body)$/;

function isEmptyWord(lower: string): boolean {
  return STOP_WORDS.has(lower) || POLITENESS.has(lower) || ARTICLES.has(lower) || PRONOUNS.test(lower);
}

const HEADS = ['person', 'location', 'structure', 'body_of_water', 'artifact', 'event', 'organization'];

/** What the last word of a name is a kind of: `Lane` a place, and `Lund` nothing that is written small. */
function headOf({ tokens }: View, { from, to }: Range): string[] {
  const at = to - (/^\d/.test(tokens[to - 1]?.text ?? '') && to - from > 1 ? 2 : 1);
  const { lower = '', kind } = tokens[at] ?? {};
  if (kind !== 'word') return [];
  const written = isCapital(tokens[at]) ? 'name' : 'words';
  return [`${written} of ${remembered(heads, lower, () => kindOf(lower))}`];
}

const heads = new Map<string, string>();

function kindOf(word: string): string {
  return HEADS.find((one) => isMainlyKindOf(word, one)) ?? (isCommonNoun(word) ? 'things' : 'nothing');
}

/** How it is written: capitals, digits, small letters; and whether it is a whole run of capitals. */
function shapeOf(view: View, { from, to }: Range): string {
  const { tokens } = view;
  const classes = classesOf(view);
  const isCaps = (at: number): boolean => classes[at] === 'caps';
  const within = tokens.slice(from, to);
  const [only] = within;
  if (only && within.length === 1) {
    if (isIdLike(only.text) || /^[A-Z]{1,4}\d+[A-Z0-9]*$/.test(only.text)) return 'shape code';
    if (only.kind === 'number') return 'shape digits';
    if (/^[A-Z][A-Z0-9.]{1,5}$/.test(only.text)) return 'shape upper';
  }
  const capitals = within.filter(isCapital).length;
  if (within.length > 1 && isNumberOfName(tokens, to - 1))
    return `shape numbered ${capitals === within.length - 1 ? 'name' : 'thing'}`;
  if (capitals === 0) return within.some(({ text }) => /\d/.test(text)) ? 'shape mixed' : 'shape lower';
  // `Unit` of `Unit 7` is no name by itself.
  // `Northgate` of `Northgate depot`
  const goesOn = isCapital(within.at(-1)) && /^(?:word|tool|own)$/.test(classes[to] ?? '');
  const isFree = !isCaps(from - 1) && !isCaps(to) && !goesOn;
  const isRun = capitals === within.length && isFree;
  if (isRun)
    return within.length === 1 && startsSentence(tokens, from) ? 'shape one capital' : 'shape capitals';
  const isEdged = isCapital(within[0]) && isCapital(within.at(-1));
  if (capitals === within.length) return 'shape part';
  if (isEdged && isFree) return 'shape joined';
  return isCapital(within[0]) ? 'shape capital first' : 'shape some capitals';
}
