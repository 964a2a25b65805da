import { bucketOf } from '../text/hash';
import { CUES, cuesOf, look } from './cues';
import { INTENT_TYPES, isIntentType } from './intent-types';
import { readText } from './text';
import { classOf, FUNCTION_WORDS } from './word-classes';

/**
 * How much each kind of feature counts. It is the length of all features of the kind as a vector, so that long sentences
 * weigh as much as short ones. Words are in 1- and 2-grams, characters in 3- to 5-grams, and word classes in 1- to 3-grams.
 */
const SCALES = { words: 1, characters: 1, classes: 1.3, tail: 1, pairs: 0.7 } as const;
/** The last word classes of a sentence, where a long one comes to its point. */
const TAIL_CLASSES = 12;
const CUE_VALUE = 0.35;
const PREVIOUS_VALUE = 1;
const MAX_PREVIOUS = 3;
/** Sentences with more words than this say themselves what they want, whatever the intents before. */
const MAX_FOLLOW_UP_WORDS = 7;
const MAX_TINY_WORDS = 3;

/** A sparse vector. The places below the number of cues are cues, and the others are hashed. */
export interface Features {
  readonly places: Int32Array;
  readonly values: Float64Array;
  /** Places in CUES, for the reasoning. */
  readonly cues: readonly number[];
  readonly tokens: readonly string[];
}

/** The number of places of a model. @param buckets the number that the hashed features share, a power of two */
export function featureCount(buckets: number): number {
  return CUES.length + buckets;
}

/** The place of the weights of a word. */
export function placeOfWord(word: string, buckets: number): number {
  return placeOf('words', word, buckets);
}

function placeOf(kind: string, name: string, buckets: number): number {
  return CUES.length + bucketOf(`${kind}|${name}`, buckets);
}

/** Reads a sentence. Pure; takes time in proportion to its bounded length. */
export function extractFeatures(query: string, previous: readonly string[], buckets: number): Features {
  const text = readText(query);
  const sight = look(text);
  const cues = cuesOf(sight);
  const classes = classTokens(text.tokens);
  const values = new Map<number, number>(cues.map((cue) => [cue, CUE_VALUE]));
  const add = (kind: string, names: readonly string[], value: number): void => {
    for (const name of names) {
      const place = placeOf(kind, name, buckets);
      values.set(place, (values.get(place) ?? 0) + value);
    }
  };
  const hashed = {
    words: [...grams(text.tokens, 1), ...grams(text.tokens, 2)],
    characters: text.tokens.flatMap(characterGrams),
    classes: [1, 2, 3].flatMap((size) => grams(classes, size)).concat(gapped(classes)),
    tail: [1, 2].flatMap((size) => grams(classes.slice(-TAIL_CLASSES), size)),
    pairs: cues.flatMap((one, at) => cues.slice(at + 1).map((other) => `${one}&${other}`)),
  };
  for (const [kind, scale] of Object.entries(SCALES)) {
    const names = [...new Set(hashed[kind as keyof typeof SCALES])];
    add(kind, names, scale / Math.sqrt(names.length));
  }
  add('previous', previousNames(previous, sight.wordCount), PREVIOUS_VALUE);
  return {
    places: Int32Array.from(values.keys()),
    values: Float64Array.from(values.values()),
    cues,
    tokens: text.tokens,
  };
}

/** Names for the intents before, by their order and by whether they occur. */
function previousNames(previous: readonly string[], wordCount: number): string[] {
  const known = previous.filter(isIntentType).slice(-MAX_PREVIOUS);
  const last = known.at(-1);
  if (last === undefined) return ['none'];
  if (wordCount > MAX_FOLLOW_UP_WORDS) return ['full'];
  const length = wordCount <= MAX_TINY_WORDS ? 'tiny' : 'short';
  const occurring = INTENT_TYPES.filter((type) => known.includes(type));
  return ['some', last, `${last}+${length}`, ...occurring.map((type) => `any ${type}`)];
}

/** Words as their parts in the sentence. Several words in a row that have no class count as one. */
function classTokens(tokens: readonly string[]): string[] {
  const names: string[] = [];
  for (const token of tokens) {
    const isOwnName = FUNCTION_WORDS.has(token) || (token.startsWith('<') && token.length > 1);
    const name = isOwnName ? token : (classOf(token)?.toUpperCase() ?? '_');
    if (name !== '_' || names.at(-1) !== '_') names.push(name);
  }
  return ['^', ...names, '.'];
}

function grams(tokens: readonly string[], size: number): string[] {
  return tokens.slice(size - 1).map((_, at) => tokens.slice(at, at + size).join(' '));
}

/** Pairs with one or two tokens between. */
function gapped(tokens: readonly string[]): string[] {
  return [2, 3].flatMap((gap) => tokens.slice(gap).map((other, at) => `${tokens[at] ?? ''}~${other}`));
}

/** Character grams within a word, so that a misspelt word still shares most of them. */
function characterGrams(token: string): string[] {
  const word = `(${token})`;
  return [3, 4, 5].flatMap((size) =>
    Array.from({ length: Math.max(0, word.length - size + 1) }, (_, at) => word.slice(at, at + size)),
  );
}
