import { bucketOf } from '../../base/text/hash';
import { normalize } from '../vectors';
import { termsOf } from './terms';

/** What the parts of a word weigh together, next to the word itself: enough to find a misspelt one. */
const PARTS_WEIGHT = 0.4;
const PART_LENGTH = 3;

/**
 * A text as a vector of hashed features (Weinberger et al., "Feature hashing for large scale multitask learning",
 * 2009): the stems of its words and, weaker, their runs of three letters. Unit length.
 */
export function featureVector(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [feature, weight] of featuresOf(text)) {
    // The sign makes features that share a place cancel out instead of adding up.
    const place = bucketOf(feature, dimensions * 2);
    const at = place >> 1;
    vector[at] = (vector[at] ?? 0) + (place % 2 === 0 ? weight : -weight);
  }
  return normalize(vector);
}

/** Features by name; a word said n times counts 1 + ln n times. */
function featuresOf(text: string): Map<string, number> {
  const counted = new Map<string, { weight: number; count: number }>();
  for (const term of termsOf(text)) {
    const known = counted.get(term.text);
    if (known === undefined) counted.set(term.text, { weight: term.weight, count: 1 });
    else known.count += 1;
  }
  // A text without a word, such as an emoji, is like itself and nothing else.
  if (counted.size === 0) return new Map([[`text:${text.trim()}`, 1]]);
  const features = new Map<string, number>();
  const add = (feature: string, weight: number): void => {
    features.set(feature, (features.get(feature) ?? 0) + weight);
  };
  for (const [word, { weight, count }] of counted) {
    const strength = weight * (1 + Math.log(count));
    add(`word:${word}`, strength);
    const parts = partsOf(word);
    for (const part of parts) add(`part:${part}`, (strength * PARTS_WEIGHT) / Math.sqrt(parts.length));
  }
  return features;
}

function partsOf(word: string): string[] {
  const framed = `<${word}>`;
  if (framed.length <= PART_LENGTH) return [];
  return Array.from({ length: framed.length - PART_LENGTH + 1 }, (_, at) =>
    framed.slice(at, at + PART_LENGTH),
  );
}
