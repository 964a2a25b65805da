import { normalize } from '../vectors';
import { termsOf } from './terms';

/*
 * This function decides the positions of words in stored vectors, so with another one all vectors would have to be
 * computed again. packages/plain-english has a separate copy for its trained model, and the two must not be shared.
 */

const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** The weight of all parts of a word together, compared with the word itself. It is enough to find a misspelt word. */
const PARTS_WEIGHT = 0.4;
const PART_LENGTH = 3;

/**
 * Converts a text to a vector of hashed features with unit length (Weinberger et al., "Feature hashing for large scale multitask
 * learning", 2009). The features are the stems of its words and, with less weight, sequences of three letters in them.
 */
export function featureVector(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [feature, weight] of extractFeatures(text)) {
    // The sign makes features with the same place cancel out instead of adding up.
    const place = bucketOf(feature, dimensions * 2);
    const at = place >> 1;
    vector[at] = (vector[at] ?? 0) + (place % 2 === 0 ? weight : -weight);
  }
  return normalize(vector);
}

/** Returns the weights of features by name. A word that occurs n times counts 1 + ln n times. */
function extractFeatures(text: string): Map<string, number> {
  const counted = new Map<string, { weight: number; count: number }>();
  for (const term of termsOf(text)) {
    const known = counted.get(term.text);
    if (known === undefined) counted.set(term.text, { weight: term.weight, count: 1 });
    else known.count += 1;
  }
  // A text without a word, such as an emoji, is similar only to itself.
  if (counted.size === 0) return new Map([[`text:${text.trim()}`, 1]]);
  const features = new Map<string, number>();
  const add = (feature: string, weight: number): void => {
    features.set(feature, (features.get(feature) ?? 0) + weight);
  };
  for (const [word, { weight, count }] of counted) {
    const strength = weight * (1 + Math.log(count));
    add(`word:${word}`, strength);
    const parts = splitIntoParts(word);
    for (const part of parts) add(`part:${part}`, (strength * PARTS_WEIGHT) / Math.sqrt(parts.length));
  }
  return features;
}

function splitIntoParts(word: string): string[] {
  const framed = `<${word}>`;
  if (framed.length <= PART_LENGTH) return [];
  return Array.from({ length: framed.length - PART_LENGTH + 1 }, (_, at) =>
    framed.slice(at, at + PART_LENGTH),
  );
}

/**
 * Returns the bucket of a feature, from 0 to `buckets` - 1: FNV-1a, 32 bits, over UTF-16 units (Fowler, Noll and Vo;
 * http://www.isthe.com/chongo/tech/comp/fnv/), folded so that the high bits count as well. Pure.
 */
function bucketOf(name: string, buckets: number): number {
  let hash = OFFSET_BASIS;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), PRIME);
  return ((hash ^ (hash >>> 15)) >>> 0) % buckets;
}
