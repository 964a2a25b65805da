import { CUES, cuesOf } from './cues';
import { look } from './cues/cue';
import { bucketOf } from '../text/hash';
import { readText } from './text';
import { INTENT_TYPES, isIntentType } from './intent-types';
import { classOf, FUNCTION_WORDS } from './word-classes';

/** How a sentence becomes numbers; part of the model, since weights mean nothing under another setting. */
export interface FeatureSettings {
  /** Hashed features share this many places; a power of two. */
  readonly buckets: number;
  /** The length of each block as a vector, so that long sentences weigh as much as short ones. */
  readonly scales: Readonly<Record<Block, number>>;
}

/** words: 1- and 2-grams; characters: 3- to 5-grams; classes: 1- to 3-grams of word classes; tail: those of the end. */
export type Block = 'words' | 'characters' | 'classes' | 'tail' | 'pairs' | 'cues' | 'previous';

/** A sparse vector. `places` below the number of cues are cues, the others are hashed. */
export interface Features {
  readonly places: Int32Array;
  readonly values: Float64Array;
  /** Indices into CUES, for the reasoning. */
  readonly cues: readonly number[];
  readonly tokens: readonly string[];
}

/** Of a model: cues first, then the buckets. */
export function featureCount(settings: FeatureSettings): number {
  return CUES.length + settings.buckets;
}

/** Where the weights of a hashed feature are. */
export function placeOf(block: Block, name: string, settings: FeatureSettings): number {
  return CUES.length + bucketOf(`${block}|${name}`, settings.buckets);
}

/** The last tokens of a sentence, where a long one comes to its point. */
const TAIL_TOKENS = 12;
const PREVIOUS_KEPT = 3;

/** Reads a sentence. Pure; time linear in its bounded length. */
export function extractFeatures(
  query: string,
  previous: readonly string[],
  settings: FeatureSettings,
): Features {
  const text = readText(query);
  const sight = look(text);
  const cues = cuesOf(sight);
  const classes = classTokens(text.tokens);
  const before = previousMarks(previous, sight.wordCount);
  const sum = new Map<number, number>();
  const add = (block: Block, names: readonly string[], even = false): void => {
    const scale = settings.scales[block];
    if (scale === 0 || names.length === 0) return;
    const value = even ? scale : scale / Math.sqrt(names.length);
    for (const name of names) {
      const place = placeOf(block, name, settings);
      sum.set(place, (sum.get(place) ?? 0) + value);
    }
  };
  add('words', unique([...grams(text.tokens, 1), ...grams(text.tokens, 2)]));
  add('characters', unique(characterGrams(text.tokens)));
  add('classes', unique([1, 2, 3].flatMap((size) => grams(classes, size)).concat(gapped(classes))));
  const tail = classes.slice(-TAIL_TOKENS);
  add('tail', unique([1, 2].flatMap((size) => grams(tail, size))));
  const ids = cues.map((index) => CUES[index]?.id ?? '');
  add(
    'pairs',
    ids.flatMap((one, at) => ids.slice(at + 1).map((two) => `${one}&${two}`)),
  );
  add('previous', before, true);
  if (before.length > 1 && sight.wordCount <= 8)
    add(
      'previous',
      ids.map((id) => `${before[0] ?? ''}&${id}`),
    );
  if (settings.scales.cues > 0) for (const index of cues) sum.set(index, settings.scales.cues);
  return {
    places: Int32Array.from(sum.keys()),
    values: Float64Array.from(sum.values()),
    cues,
    tokens: text.tokens,
  };
}

/** The types before, newest first, by place, and whether there were any. */
function previousMarks(previous: readonly string[], wordCount: number): string[] {
  const known = previous.filter(isIntentType).slice(-PREVIOUS_KEPT).reverse();
  if (known.length === 0) return ['none'];
  const length = wordCount <= 3 ? 'tiny' : wordCount <= 7 ? 'short' : 'full';
  if (length === 'full') return ['full'];
  return [
    'some',
    known[0] ?? '',
    `${known[0] ?? ''}+${length}`,
    ...INTENT_TYPES.filter((type) => known.includes(type)).map((type) => `any ${type}`),
  ];
}

/** Words as their parts in the sentence; runs of words without one count as a single one. */
function classTokens(tokens: readonly string[]): string[] {
  const out: string[] = [];
  for (const token of tokens) {
    const name =
      token.startsWith('<') && token.length > 1
        ? token
        : FUNCTION_WORDS.has(token)
          ? token
          : (classOf(token)?.toUpperCase() ?? '_');
    if (name !== '_' || out.at(-1) !== '_') out.push(name);
  }
  return ['^', ...out, '.'];
}

function grams(tokens: readonly string[], size: number): string[] {
  const out: string[] = [];
  for (let at = 0; at + size <= tokens.length; at += 1) out.push(tokens.slice(at, at + size).join(' '));
  return out;
}

/** Pairs with one or two tokens between. */
function gapped(tokens: readonly string[]): string[] {
  const out: string[] = [];
  for (let at = 0; at < tokens.length; at += 1)
    for (const gap of [2, 3]) {
      const other = tokens[at + gap];
      if (other !== undefined) out.push(`${tokens[at] ?? ''}~${other}`);
    }
  return out;
}

/** Within words, so that a misspelt word still shares most of them. */
function characterGrams(tokens: readonly string[]): string[] {
  const out: string[] = [];
  for (const token of tokens) {
    const word = `(${token})`;
    for (let size = 3; size <= 5; size += 1)
      for (let at = 0; at + size <= word.length; at += 1) out.push(word.slice(at, at + size));
  }
  return out;
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];
