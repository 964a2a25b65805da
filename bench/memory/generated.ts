import { ulid } from 'ulid';
import type { NewMemoryNode } from '../../src/stores/memory/node';

export const DIMENSIONS = 768;
const CLUSTERS = 500;
const SPREAD = 0.8;
const WORDS = 20_000;
const WORDS_A_TEXT = 30;
const WORDS_A_QUESTION = 5;
const START = 1_700_000_000_000;

/** Generates numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Approximates a normal distribution by the sum of three uniform numbers, which is fast. */
function spread(next: () => number): number {
  return (next() + next() + next() - 1.5) * 2;
}

const centres = Array.from({ length: CLUSTERS }, (_, cluster) => {
  const next = randomNumbers(-1 - cluster);
  return Float32Array.from({ length: DIMENSIONS }, () => spread(next));
});

/** Generates the vector of unit length with this number, in one of the clusters. */
export function generatedVector(number: number): Float32Array {
  const next = randomNumbers(number);
  const centre = centres[Math.floor(next() * CLUSTERS)] ?? new Float32Array(DIMENSIONS);
  const vector = centre.map((value) => value + SPREAD * spread(next));
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return vector.map((value) => value / length);
}

/**
 * Generates words with the frequencies of a natural text: the word of rank r occurs about 1/r as often as the first
 * (Zipf).
 */
function zipfWords(next: () => number, count: number, firstRank: number): string {
  const rank = (): number => Math.floor(firstRank * (WORDS / firstRank) ** next());
  return Array.from({ length: count }, () => `w${rank().toString(36)}x`).join(' ');
}

function generatedText(number: number): string {
  return zipfWords(randomNumbers(number + 0x5eed), WORDS_A_TEXT, 1);
}

/** Generates a question without the 100 most frequent words, because those are the words that a search ignores. */
export function generatedQuestion(number: number): string {
  return zipfWords(randomNumbers(number + 0x5eed), WORDS_A_QUESTION, 100);
}

export function generatedMemory(number: number, users: number): NewMemoryNode {
  const content = generatedText(number);
  return {
    id: ulid(START + number),
    kind: 'episodic',
    userId: `user-${number % users}`,
    sessionId: `session-${Math.floor(number / users / 100)}`,
    timestamp: START + number * 1_000,
    storedAt: START + number * 1_000,
    text: content,
    labels: [`tag-${number % 50}`],
    weight: (number % 101) / 100,
    body: { content },
  };
}
