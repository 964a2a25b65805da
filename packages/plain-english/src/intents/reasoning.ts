import { CUES } from './cues';
import { placeOf, type FeatureSettings, type Features } from './features';
import { speaksFor, type LinearModel } from './linear-model';
import { INTENT_TYPES, isIntentType, type IntentType } from './intent-types';
import type { IntentContext } from './types';
import { wordsTagged } from '../text/lexicon/words';

/** Cues that count, and yet tell a reader nothing on their own. */
const DULL = wordsTagged('dull'); // prettier-ignore
/** Cues made of others, or of the subject alone; they speak where no single one does. */
const VAGUE = wordsTagged('reasoning-vague'); // prettier-ignore
const MAX_REASONS = 2;
const WEAK = 0.05;
/** Below this lead over the runner-up, the runner-up is named. */
const NARROW = 0.2;
/** Tokens of a sentence that the intent before gives its meaning. */
const ELLIPTIC = 7;

/**
 * One sentence from the weights that decided: the cues of the query that speak most for the type, else its words.
 * Pure.
 */
export function explain(
  model: LinearModel,
  settings: FeatureSettings,
  features: Features,
  probabilities: readonly number[],
  chosen: number,
  context: IntentContext,
): string {
  const type = INTENT_TYPES[chosen] ?? 'conversation';
  const reasons = strongestCues(model, features, chosen);
  const before = context.previousIntents?.filter(isIntentType).at(-1);
  if (before !== undefined && features.tokens.length <= ELLIPTIC && goesOn(before, type))
    reasons.push(`follows a ${before} request`);
  const because =
    reasons.length > 0 ? `it ${reasons.join(' and ')}` : wordsFor(model, settings, features, chosen);
  return `Taken as ${type} because ${because}${doubt(probabilities, chosen)}${hintNote(context.hintIntent, type)}.`;
}

function goesOn(before: IntentType, type: IntentType): boolean {
  return before === type || (before === 'memory_chat' && type === 'hybrid');
}

function strongestCues(model: LinearModel, { cues }: Features, chosen: number): string[] {
  const ranked = cues
    .map((place) => ({ cue: CUES[place], gain: speaksFor(model, place, chosen) }))
    .filter(({ cue, gain }) => cue !== undefined && gain > WEAK && !DULL.has(cue.id))
    .sort((one, two) => two.gain - one.gain);
  const says = (vague: boolean): string[] =>
    ranked.filter(({ cue }) => VAGUE.has(cue?.id ?? '') === vague).map(({ cue }) => cue?.says ?? '');
  const clear = [...new Set(says(false))].slice(0, MAX_REASONS);
  return clear.length > 0 ? clear : says(true).slice(0, 1);
}

function wordsFor(
  model: LinearModel,
  settings: FeatureSettings,
  { tokens }: Features,
  chosen: number,
): string {
  const words = [...new Set(tokens.filter((token) => /^\p{L}/u.test(token)))]
    .map((word) => ({ word, gain: speaksFor(model, placeOf('words', word, settings), chosen) }))
    .filter(({ gain }) => gain > 0)
    .sort((one, two) => two.gain - one.gain)
    .slice(0, MAX_REASONS)
    .map(({ word }) => `"${word}"`);
  if (words.length === 0) return 'nothing in it speaks for any other';
  return `${words.join(' and ')} ${words.length > 1 ? 'speak' : 'speaks'} for it more than for any other`;
}

function doubt(probabilities: readonly number[], chosen: number): string {
  const [second] = probabilities
    .map((value, index) => ({ value, type: INTENT_TYPES[index] ?? '', index }))
    .filter(({ index }) => index !== chosen)
    .sort((one, two) => two.value - one.value);
  if (second === undefined || (probabilities[chosen] ?? 0) - second.value > NARROW) return '';
  return `, though ${second.type} is nearly as likely`;
}

function hintNote(hint: IntentType | undefined, type: IntentType): string {
  if (hint === undefined) return '';
  return hint === type ? ', as the hint says' : `, against the hint ${hint}`;
}
