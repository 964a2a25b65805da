import { CUES } from './cues';
import { placeOfWord, type Features } from './features';
import { INTENT_TYPES, type IntentType } from './intent-types';
import { speaksFor, type LinearModel } from './linear-model';

const MAX_REASONS = 2;
/** A cue that speaks less for the type than this is no reason. */
const MIN_GAIN = 0.05;
/** If the type leads the next one by less than this, the reasoning names the next one. */
const MIN_LEAD = 0.2;

/** A model, what it read and what it said. */
export interface Decision {
  readonly model: LinearModel;
  readonly buckets: number;
  readonly features: Features;
  readonly probabilities: readonly number[];
  /** The index of the chosen type. */
  readonly chosen: number;
}

/** One sentence from the weights that decided: the cues of the query that speak most for the type, or else its words. Pure. */
export function explain(decision: Decision, hint?: IntentType): string {
  const type = INTENT_TYPES[decision.chosen] ?? 'conversation';
  return `Taken as ${type} because ${reasonsOf(decision)}${doubtOf(decision)}${hintNote(hint, type)}.`;
}

function reasonsOf({ model, buckets, features, chosen }: Decision): string {
  const { cues, tokens } = features;
  const named = cues.map((place) => ({ name: CUES[place]?.says, gain: speaksFor(model, place, chosen) }));
  const reasons = strongest(named, MIN_GAIN);
  if (reasons.length > 0) return `it ${reasons.join(' and ')}`;
  const words = tokens
    .filter((token) => /^\p{L}/u.test(token))
    .map((word) => ({ name: `"${word}"`, gain: speaksFor(model, placeOfWord(word, buckets), chosen) }));
  const [first, second] = strongest(words, 0);
  if (first === undefined) return 'nothing in it speaks for any other';
  return second === undefined
    ? `${first} speaks for it more than for any other`
    : `${first} and ${second} speak for it more than for any other`;
}

function strongest(
  reasons: readonly { readonly name: string | undefined; readonly gain: number }[],
  minGain: number,
): string[] {
  const ranked = reasons.filter(({ gain }) => gain > minGain).sort((one, other) => other.gain - one.gain);
  const names = ranked.flatMap(({ name }) => name ?? []);
  return [...new Set(names)].slice(0, MAX_REASONS);
}

function doubtOf({ probabilities, chosen }: Decision): string {
  const others = probabilities.map((share, index) => (index === chosen ? 0 : share));
  const next = Math.max(...others);
  const type = INTENT_TYPES[others.indexOf(next)] ?? '';
  return (probabilities[chosen] ?? 0) - next > MIN_LEAD ? '' : `, though ${type} is nearly as likely`;
}

function hintNote(hint: IntentType | undefined, type: IntentType): string {
  if (hint === undefined) return '';
  return hint === type ? ', as the hint says' : `, against the hint ${hint}`;
}
