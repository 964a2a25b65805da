import { readText } from '../src/intents/text';
import { INTENT_TYPES } from '../src/intents/intent-types';
import type { Sentence } from './sentence';

interface Known {
  readonly label: number;
  readonly terms: ReadonlyMap<string, number>;
}

const NEIGHBOURS = 9;
/** Likeness counts to this power, so that the nearest outweigh the others. */
const SHARPNESS = 4;

/**
 * The comparison's second method: the nearest labelled sentences by the cosine of TF-IDF vectors of words, word pairs
 * and character 4-grams (Manning et al., Introduction to Information Retrieval, 6.2 and 14.3).
 */
export function nearestClassifier(sentences: readonly Sentence[]): (sentence: Sentence) => number[] {
  const bags = sentences.map((sentence) => terms(sentence));
  const frequency = new Map<string, number>();
  for (const bag of bags) for (const term of bag.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const weigh = (bag: ReadonlyMap<string, number>): Map<string, number> => {
    const weighed = new Map<string, number>();
    for (const [term, count] of bag) {
      const known = frequency.get(term);
      if (known !== undefined) weighed.set(term, count * Math.log(1 + sentences.length / known));
    }
    const length = Math.sqrt([...weighed.values()].reduce((sum, value) => sum + value * value, 0));
    for (const [term, value] of weighed) weighed.set(term, value / Math.max(1e-9, length));
    return weighed;
  };
  const index = new Map<string, { readonly at: number; readonly value: number }[]>();
  const known: Known[] = sentences.map(({ type }, at) => {
    const weighed = weigh(bags[at] ?? new Map<string, number>());
    for (const [term, value] of weighed) {
      const list = index.get(term) ?? [];
      list.push({ at, value });
      index.set(term, list);
    }
    return { label: INTENT_TYPES.indexOf(type), terms: weighed };
  });
  return (sentence) => {
    const likeness = new Float64Array(known.length);
    for (const [term, value] of weigh(terms(sentence)))
      for (const entry of index.get(term) ?? [])
        likeness[entry.at] = (likeness[entry.at] ?? 0) + value * entry.value;
    const nearest = [...likeness.entries()].sort((one, two) => two[1] - one[1]).slice(0, NEIGHBOURS);
    const votes = INTENT_TYPES.map(() => 1e-4);
    for (const [at, like] of nearest) {
      const label = known[at]?.label ?? 0;
      votes[label] = (votes[label] ?? 0) + like ** SHARPNESS;
    }
    const sum = votes.reduce((total, vote) => total + vote, 0);
    return votes.map((vote) => vote / sum);
  };
}

function terms({ query, previous }: Sentence): Map<string, number> {
  const { tokens } = readText(query);
  const bag = new Map<string, number>();
  const add = (term: string): void => void bag.set(term, (bag.get(term) ?? 0) + 1);
  for (const [at, token] of tokens.entries()) {
    add(token);
    const next = tokens[at + 1];
    if (next !== undefined) add(`${token} ${next}`);
    const word = `(${token})`;
    for (let start = 0; start + 4 <= word.length; start += 1) add(`#${word.slice(start, start + 4)}`);
  }
  add(`previous ${previous.at(-1) ?? 'none'}`);
  return bag;
}
