import type { IntentType } from '../src/intents/intent-types';
import type { Sentence, TrainingData } from './sentences';

const SEED = 5;
/** Everything random is done this number of times, so that the model depends less on chance. */
const PASSES = 4;
/** Sentences of each intent that are made of one frame, each with another filling. */
const PER_FRAME = 3;
const FRAME_WEIGHT = 0.1;
const FOLLOW_UP_WEIGHT = 0.3;
/** The share of the sentences that are repeated with a story before them. */
const STORY_SHARE = 0.2;
const STORY_WEIGHT = 0.1;
const MAX_STORY_CHARACTERS = 90;
/** The shares of the words that are left out, and that get two letters swapped. */
const DROPPED = 0.12;
const MISSPELT = 0.06;
const ROUGH_WEIGHT = 0.15;
const MIN_ROUGH_WORDS = 5;

/** Makes further sentences of the written ones and of the frames. The same data give the same sentences. */
export function enlarge(sentences: readonly Sentence[], data: TrainingData): Sentence[] {
  const random = seededRandom(SEED);
  const passes = Array.from({ length: PASSES }, () => [
    ...fillFrames(data, random),
    ...roughen(sentences, random),
    ...addStories(sentences, data, random),
  ]);
  return [...followUps(data), ...passes.flat()];
}

/**
 * Fills the gaps of frames. The same frame with different fillings, and the same filling in different frames, show which
 * of both decides: work on a given value is a tool's, the same work on a remembered value is a hybrid.
 */
function fillFrames({ frames: lines, lists }: TrainingData, random: () => number): Sentence[] {
  return lines.flatMap(({ fill, frames }) =>
    Object.entries(fill).flatMap(([type, names]) => {
      const fillings = names.flatMap((name) => lists.get(name) ?? []);
      return frames.flatMap((frame) =>
        Array.from({ length: PER_FRAME }, () => ({
          query: frame.replace('{}', () => pick(random, fillings)),
          type: type as IntentType,
          previous: [],
          weight: FRAME_WEIGHT,
        })),
      );
    }),
  );
}

function followUps({ followUps: lines }: TrainingData): Sentence[] {
  return lines.flatMap(({ after, sentences }) =>
    Object.entries(after).flatMap(([before, type]) =>
      sentences.map((query) => ({
        query,
        type,
        previous: [before as IntentType],
        weight: FOLLOW_UP_WEIGHT,
      })),
    ),
  );
}

/** Each longer sentence once more as a person in a hurry types it, so that no single word carries an intent. */
function roughen(sentences: readonly Sentence[], random: () => number): Sentence[] {
  return sentences
    .filter(({ query }) => query.split(' ').length >= MIN_ROUGH_WORDS)
    .map((sentence) => {
      const words = sentence.query.split(' ').filter(() => random() >= DROPPED);
      const typed = words.map((word) =>
        random() < MISSPELT ? word.replace(/^([a-z]{2})([a-z])([a-z])(?=[a-z])/, '$1$3$2') : word,
      );
      return { ...sentence, query: typed.join(' '), weight: ROUGH_WEIGHT };
    });
}

/** Some sentences once more after an unrelated story; what they ask for stays the same. */
function addStories(
  sentences: readonly Sentence[],
  { lists }: TrainingData,
  random: () => number,
): Sentence[] {
  const stories = lists.get('stories') ?? [];
  const joints = lists.get('joints') ?? [];
  return sentences
    .filter(({ query, previous }) => previous.length === 0 && query.length <= MAX_STORY_CHARACTERS)
    .filter(() => random() < STORY_SHARE)
    .map((sentence) => ({
      ...sentence,
      query: `${pick(random, stories)}${pick(random, joints)}${sentence.query}`,
      weight: STORY_WEIGHT,
    }));
}

/** Numbers from 0 to 1, the same for the same seed: mulberry32 (Tommy Ettinger, public domain). */
function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of the items. @throws RangeError if there are no items */
function pick<Item>(random: () => number, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('There is nothing to pick from.');
  return item;
}
