import cues from './cues.json';
import type { Text } from './text';
import { classOf, type WordClass } from './word-classes';

/** What the cues look at. */
interface Sight extends Text {
  readonly classes: ReadonlySet<WordClass>;
  /** The tokens between single spaces, with the name of its class in capitals in place of each word that has one. */
  readonly classed: string;
  /** The number of tokens that are words. */
  readonly wordCount: number;
  /** The number of tokens that are numbers or clock times. */
  readonly numbers: number;
}

/** A property that a sentence has or has not. */
interface Cue {
  /** Completes "because it" in a reasoning. Absent if the cue gives a reader no reason on its own. */
  readonly says?: string | undefined;
  readonly test: (sight: Sight) => boolean;
}

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

/**
 * Patterns over the tokens of a sentence, which stand between single spaces. No unbounded repetition contains another one, so
 * that matching takes time in proportion to the bounded length of a sentence.
 */
const PATTERN_CUES: readonly { readonly says?: string; readonly pattern: string; readonly flags?: string }[] =
  cues.patterns;
/** Word classes that are cues if a sentence has one of their words. */
const CLASS_CUES = cues.classes as readonly { readonly says?: string; readonly class: WordClass }[];

/** All cues. The place of a cue in this list is the place of its weight in the model. */
export const CUES: readonly Cue[] = [
  ...PATTERN_CUES.map(({ says, pattern, flags }): Cue => {
    const expression = new RegExp(pattern, flags);
    return { says, test: ({ joined }) => expression.test(joined) };
  }),
  ...CLASS_CUES.map(({ says, class: name }): Cue => ({ says, test: ({ classes }) => classes.has(name) })),
  ...COUNTING_CUES,
];

/** Counts once what several cues ask for. Pure. */
export function look(text: Text): Sight {
  const classes = text.tokens.map((token) => classOf(token));
  const count = (pattern: RegExp): number => text.tokens.filter((token) => pattern.test(token)).length;
  return {
    ...text,
    classes: new Set(classes.filter((one) => one !== undefined)),
    classed: ` ${text.tokens.map((token, at) => classes[at]?.toUpperCase() ?? token).join(' ')} `,
    wordCount: count(/^\p{L}/u),
    numbers: count(/^<(?:num|clock)>$/),
  };
}

/** The places of the cues that a sentence has, in ascending order. Pure. */
export function cuesOf(sight: Sight): number[] {
  return CUES.flatMap((cue, place) => (cue.test(sight) ? [place] : []));
}
