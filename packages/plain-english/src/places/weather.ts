import { isLight } from '../reading/light';
import type { Lack, Problem, Reader } from '../reading/reading';
import { hasTool } from '../reading/steps';
import { setOf, wordsTagged } from '../text/lexicon/words';
import { lowerAt, sliceTokens, textOf, type Token, type TokenText } from '../text/token';

const TOPICS = setOf('weather temperature forecast');
const ABOUT = wordsTagged('weather');
const BEFORE = setOf('in at for near of around');
const IMPERIAL = setOf('imperial fahrenheit °f mph');
const METRIC = setOf('metric celsius °c');
/** Words of the time that is now, and of no place. */
const NO_PLACE = wordsTagged('not-places');

/** Reads a clause as asking for the weather at a place. */
export const readWeather: Reader = (clause, context) => {
  const { tokens } = clause;
  const topic = tokens.findIndex(({ kind, lower }) => kind === 'word' && TOPICS.has(lower));
  if (topic === -1 || !hasTool(context, 'weather')) return undefined;
  const written = tokens.find(isUnit);
  const units = written ? { units: IMPERIAL.has(written.lower) ? 'imperial' : 'metric' } : {};
  const about = tokens.filter(({ lower }) => ABOUT.has(lower) || lower === 'units');
  const later = tokens.find(({ lower }) => /^(?:tomorrow|yesterday|weekend|week)$/.test(lower));
  const lack = (problem: Problem, weight: number): Lack => ({
    problem: { ...problem, toolName: 'weather', extractedArgs: units },
    weight,
  });
  if (later) return lack({ message: `Only the weather now can be told, not that of ${later.lower}.` }, 0.9);
  const place = findPlace(clause, topic);
  const message = 'The place whose weather is wanted is missing.';
  if (!place) return lack({ message, missing: 'location' }, 0.8);
  return {
    steps: [{ toolName: 'weather', args: { location: textOfPlace(place), ...units } }],
    read: new Set([...about, ...place.tokens, ...(written ? [written] : [])]),
    weight: 1.05,
  };
};

/** `weather in Paris, Texas`, `Paris weather`, `London's temperature`. */
function findPlace(clause: TokenText, topic: number): TokenText | undefined {
  const { tokens } = clause;
  for (let at = topic + 1; at < tokens.length; at++) {
    if (BEFORE.has(lowerAt(tokens, at)) && isPlace(tokens[at + 1])) return placeFrom(clause, at + 1);
  }
  if (lowerAt(tokens, topic) === 'temperature') return undefined;
  if (isPlace(tokens[topic + 1])) return placeFrom(clause, topic + 1);
  let from = topic;
  let to = topic;
  if (lowerAt(tokens, to - 1) === "'s") from = --to;
  while (isPlace(tokens[from - 1]) && !ABOUT.has(lowerAt(tokens, from - 1))) from--;
  return from < to ? sliceTokens(clause, from, to) : undefined;
}

function textOfPlace(place: TokenText): string {
  const [first] = place.tokens;
  return first?.kind === 'quoted' ? String(first.value) : textOf(place);
}

/** A comma stays if one more place follows in capitals: `Portland, Oregon`. */
function placeFrom(clause: TokenText, from: number): TokenText {
  const { tokens } = clause;
  let to = from;
  while (isPlace(tokens[to]) || (to > from && lowerAt(tokens, to) === 'of' && isNamedPlace(tokens[to + 1])))
    to++;
  if (lowerAt(tokens, to) === ',' && isNamedPlace(tokens[to + 1])) {
    to++;
    while (isPlace(tokens[to])) to++;
  }
  return sliceTokens(clause, from, to);
}

function isNamedPlace(token: Token | undefined): boolean {
  return isPlace(token) && /^\p{Lu}/u.test(token?.text ?? '');
}

function isPlace(token: Token | undefined): boolean {
  if (!token || (token.kind !== 'word' && token.kind !== 'quoted')) return false;
  return !isUnit(token) && !NO_PLACE.has(token.lower) && (!isLight(token) || /^\p{Lu}/u.test(token.text));
}

function isUnit({ lower }: Token): boolean {
  return IMPERIAL.has(lower) || METRIC.has(lower);
}
