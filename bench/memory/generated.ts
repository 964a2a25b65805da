import { ulid } from 'ulid';
import type { NewMemoryNode } from '../../src/stores/memory/node';

export const DIMENSIONS = 768;
const CLUSTERS = 500;
const SPREAD = 0.8;
const WORDS = 20_000;
const WORDS_A_TEXT = 30;
const WORDS_A_QUESTION = 5;
const START = 1_700_000_000_000;

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Near enough to a normal distribution, and quick: the sum of three uniform ones. */
function spread(next: () => number): number {
  return (next() + next() + next() - 1.5) * 2;
}

const centres = Array.from({ length: CLUSTERS }, (_, cluster) => {
  const next = random(-1 - cluster);
  return Float32Array.from({ length: DIMENSIONS }, () => spread(next));
});

/** The vector with this number, of unit length, in one of the clusters. */
export function generatedVector(number: number): Float32Array {
  const next = random(number);
  const centre = centres[Math.floor(next() * CLUSTERS)] ?? new Float32Array(DIMENSIONS);
  const vector = centre.map((value) => value + SPREAD * spread(next));
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return vector.map((value) => value / length);
}

/** Words as often as in a natural text: the one of rank r about 1/r as often as the first (Zipf). */
function zipfWords(next: () => number, count: number, firstRank: number): string {
  const rank = (): number => Math.floor(firstRank * (WORDS / firstRank) ** next());
  return Array.from({ length: count }, () => `w${rank().toString(36)}x`).join(' ');
}

export function generatedText(number: number): string {
  return zipfWords(random(number + 0x5eed), WORDS_A_TEXT, 1);
}

/** Without the 100 commonest words, which in a language are those that a search passes over. */
export function generatedQuestion(number: number): string {
  return zipfWords(random(number + 0x5eed), WORDS_A_QUESTION, 100);
}

export function generatedMemory(number: number, users: number): NewMemoryNode {
  const content = generatedText(number);
  return {
    id: ulid(START + number),
    kind: 'episodic',
    userId: `user-${number % users}`,
    sessionId: `session-${Math.floor(number / users / 100)}`,
    timestamp: START + number * 1_000,
    text: content,
    labels: [`tag-${number % 50}`],
    weight: (number % 101) / 100,
    body: { content },
  };
}
