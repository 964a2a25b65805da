import { NAMED_PATTERNS, UNNAMED_PATTERNS } from './cue-patterns';
import type { Text } from './text';
import { classOf, type WordClass } from './word-classes';

/** What the cues look at. */
export interface Sight extends Text {
  readonly classes: ReadonlySet<WordClass>;
  /** The tokens between single spaces, with the name of its class in capitals in place of each word that has one. */
  readonly classed: string;
  /** The number of tokens that are words. */
  readonly wordCount: number;
  /** The number of tokens that are numbers or clock times. */
  readonly numbers: number;
}

/** A property that a sentence has or has not. */
export interface Cue {
  /** Completes "because it" in a reasoning. Absent where the cue gives a reader no reason on its own. */
  readonly says?: string;
  readonly test: (sight: Sight) => boolean;
}

/** Word classes whose words are reasons, with what the reasoning says of a sentence that has one. */
const NAMED_CLASSES: Readonly<Partial<Record<WordClass, string>>> = {
  talk: 'uses a verb of telling',
  recall: 'speaks of remembering or keeping',
  calc: 'names a calculation',
  unit: 'names a unit of measure',
  data: 'speaks of data to be processed',
  net: 'speaks of a server or a request',
  weather: 'speaks of the weather',
  greet: 'greets or takes leave',
  thanks: 'thanks me',
  feel: 'speaks of feelings',
  create: 'asks for something playful or creative',
  explain: 'asks for an explanation or a fact',
  place: 'names a city',
  country: 'names a country or a region',
  science: 'speaks of nature or science',
  body: 'speaks of the body',
  month: 'names a time of the year or the week',
};

const UNNAMED_CLASSES: readonly WordClass[] = ['past', 'now', 'food', 'health', 'hobby', 'firstname'];

const QUESTION_OR_REQUEST =
  / (?:\?|what|which|who|where|when|why|how|please|tell|give|show|check|find|explain|can|could|would|is|are|do|does|did) /;
const PERSONAL = / (?:i|me|my|mine|myself|you|your|yours|yourself|we|us|our) /;
const POINTING = / (?:it|that|this|!|please|thanks) /;

const COUNTING_CUES: readonly Cue[] = [
  { says: 'has a number in it', test: ({ numbers }) => numbers === 1 },
  { says: 'has two numbers in it', test: ({ numbers }) => numbers === 2 },
  { says: 'has several numbers in it', test: ({ numbers }) => numbers > 2 },
  {
    says: 'gives a list of things',
    test: ({ tokens }) => tokens.filter((token) => token === ',').length >= 2,
  },
  { says: 'names one of your own details', test: ({ classed }) => / (?:my|our) (?:\w+ )?OWN /.test(classed) },
  {
    says: 'speaks of somebody close to you',
    test: ({ classed }) => / (?:my|our) (?:\w+ )?KIN /.test(classed),
  },
  {
    says: 'asks for a conversion',
    test: ({ classed }) => / (?:in|to|into|as) (?:\w+ )?(?:UNIT|CURRENCY) /.test(classed),
  },
  { test: ({ wordCount }) => wordCount > 2 && wordCount <= 5 },
  { test: ({ wordCount }) => wordCount > 18 },
  { test: ({ joined }) => !QUESTION_OR_REQUEST.test(joined) },
  { test: ({ joined }) => !PERSONAL.test(joined) },
  {
    // A subject and nothing else.
    test: ({ joined, wordCount, numbers }) =>
      wordCount >= 1 && wordCount <= 5 && numbers === 0 && !PERSONAL.test(joined) && !POINTING.test(joined),
  },
];

/** All cues. The place of a cue in this list is the place of its weight in the model. */
export const CUES: readonly Cue[] = [
  ...Object.entries(NAMED_PATTERNS).map(([says, pattern]) => ({ says, test: matches(pattern) })),
  ...UNNAMED_PATTERNS.map((pattern) => ({ test: matches(pattern) })),
  ...Object.entries(NAMED_CLASSES).map(([name, says]) => ({ says, test: hasClass(name as WordClass) })),
  ...UNNAMED_CLASSES.map((name) => ({ test: hasClass(name) })),
  ...COUNTING_CUES,
];

function matches(pattern: RegExp): (sight: Sight) => boolean {
  return ({ joined }) => pattern.test(joined);
}

function hasClass(name: WordClass): (sight: Sight) => boolean {
  return ({ classes }) => classes.has(name);
}

/** Counts once what several cues ask for. Pure. */
export function look(text: Text): Sight {
  const found = text.tokens.map((token) => classOf(token));
  const count = (pattern: RegExp): number => text.tokens.filter((token) => pattern.test(token)).length;
  return {
    ...text,
    classes: new Set(found.filter((one) => one !== undefined)),
    classed: ` ${text.tokens.map((token, at) => found[at]?.toUpperCase() ?? token).join(' ')} `,
    wordCount: count(/^\p{L}/u),
    numbers: count(/^<(?:num|clock)>$/),
  };
}

/** The places of the cues that a sentence has, in ascending order. Pure. */
export function cuesOf(sight: Sight): number[] {
  return CUES.flatMap((cue, place) => (cue.test(sight) ? [place] : []));
}
