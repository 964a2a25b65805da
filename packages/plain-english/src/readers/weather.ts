import { meaningOf } from '../arithmetic/lexicon';
import { isTypoOf } from '../text/edit-distance';
import { ARTICLES, POLITENESS, STOP_WORDS } from '../text/stop-words';
import { beginsNumber } from '../text/quantity';
import { lowerAt, textOf, type Token, type TokenText } from '../text/token';
import { placeBefore } from '../text/place-before';
import { hasTool, incomplete, type ReadContext, type Reading } from '../plan/reading';
import { wordsTagged } from '../text/lexicon/words';

const TOPICS = ['weather', 'temperature', 'forecast'];
const CONDITIONS = wordsTagged('conditions');
const BEFORE_PLACE = new Set(['in', 'at', 'for', 'near', 'of', 'around', 'over']);
const ENDS = wordsTagged('ends');
const NOT_A_PLACE = wordsTagged('not-a-place');
const OTHER = wordsTagged('other-request-verbs');
const IMPERIAL = new Set(['imperial', 'fahrenheit', '°f', 'mph']);
const METRIC = new Set(['metric', 'celsius', '°c', 'centigrade']);

/** Reads a clause as asking for the weather at places. */
export function readWeather(clause: TokenText, context: ReadContext): Reading | undefined {
  if (!hasTool(context, 'weather')) return undefined;
  const { tokens } = clause;
  const strong = tokens.some(({ kind, lower }) => kind === 'word' && isTopic(lower));
  const asksCondition = tokens.some(({ lower }) => CONDITIONS.has(lower));
  if (!strong && !asksCondition) return undefined;
  const later = laterDay(tokens);
  const units = unitsOf(tokens);
  if (later !== undefined) {
    const message = `Only the weather now can be told, not that of ${later}.`;
    return incomplete(strong ? 1 : 0.6, { message, toolName: 'weather', extractedArgs: units });
  }
  const found = findPlaces(clause);
  const places = found.length > 0 ? found : placeBefore(clause);
  const calculated = tokens.some(
    ({ kind, lower }, at) =>
      meaningOf(lower)?.type === 'infix' &&
      kind !== 'number' &&
      beginsNumber(tokens[at - 1]) &&
      beginsNumber(tokens[at + 1]),
  );
  if (calculated) {
    const message = 'Whether the weather or a calculation is asked for is not clear.';
    return incomplete(1, { message, toolName: 'weather' });
  }
  if (places.length > 0) {
    const steps = places.map((location) => ({ toolName: 'weather', args: { location, ...units } }));
    return { score: strong ? 1.2 : 0.95, steps };
  }
  const message = 'The place whose weather is wanted is missing.';
  if (!strong && !tokens.some(({ lower }) => ['outside', 'raining', 'sunny', 'snowing'].includes(lower)))
    return undefined;
  return incomplete(0.8, { message, missing: 'location', toolName: 'weather', extractedArgs: units });
}

function isTopic(word: string): boolean {
  return (
    TOPICS.some((topic) => isTypoOf(word, topic)) || word === 'wether' || word === 'temp' || word === 'temps'
  );
}

function laterDay(tokens: readonly Token[]): string | undefined {
  return tokens.find(({ lower }) => ['tomorrow', 'yesterday', 'weekend'].includes(lower))?.lower;
}

function unitsOf(tokens: readonly Token[]): { units?: string } {
  const words = tokens.map(({ lower }, at) => (lower === '°' ? `°${lowerAt(tokens, at + 1)}` : lower));
  const letter = words.find((word, at) => words[at - 1] === 'in' && (word === 'f' || word === 'c'));
  if (letter === 'f' || words.some((word) => IMPERIAL.has(word))) return { units: 'imperial' };
  return letter === 'c' || words.some((word) => METRIC.has(word)) ? { units: 'metric' } : {};
}

/** Every place after a preposition; failing that, one beside the word weather. */
function findPlaces(clause: TokenText): string[] {
  const places: string[] = [];
  const { tokens } = clause;
  for (let at = 0; at < tokens.length; at++) {
    if (!BEFORE_PLACE.has(lowerAt(tokens, at))) continue;
    const found = placesFrom(clause, at + 1);
    places.push(...found.places);
    if (found.places.length > 0) at = found.end - 1;
  }
  return places.length > 0 ? places : besideTopic(clause);
}

function placesFrom(clause: TokenText, start: number): { places: string[]; end: number } {
  const { tokens } = clause;
  const places: string[] = [];
  let at = start;
  for (;;) {
    while (ARTICLES.has(lowerAt(tokens, at)) || BEFORE_PLACE.has(lowerAt(tokens, at))) at++;
    const end = placeEnd(tokens, at);
    if (end === at || NOT_A_PLACE.has(lowerAt(tokens, at)) || tokens[at]?.kind === 'number')
      return { places, end: at };
    // `Rome and book a flight`: what begins another request is no place, and is read or refused by itself.
    if (places.length > 0 && OTHER.has(lowerAt(tokens, at))) return { places, end: at };
    places.push(placeText(clause, at, end));
    at = end;
    if (tokens[at]?.lower === ',' && tokens[at + 1]?.lower === 'and') at++;
    const next = tokens[at + 1];
    if (
      !['and', '&', ',', 'or'].includes(lowerAt(tokens, at)) ||
      !next ||
      (ENDS.has(next.lower) && !BEFORE_PLACE.has(next.lower))
    )
      return { places, end: at };
    at++;
  }
}

function placeText(clause: TokenText, from: number, to: number): string {
  const only = clause.tokens[from];
  return only?.kind === 'quoted' ? String(only.value) : textOf(clause, from, to);
}

/** A comma stays where one place follows in capitals: `Portland, Oregon`. */
function placeEnd(tokens: readonly Token[], start: number): number {
  let at = start;
  if (tokens[at]?.kind === 'quoted') return at + 1;
  while (
    at < tokens.length &&
    !ENDS.has(lowerAt(tokens, at)) &&
    tokens[at]?.lower !== '&' &&
    tokens[at]?.lower !== "'s"
  )
    at++;
  const after = tokens[at + 1];
  if (tokens[at]?.lower !== ',' || at === start || !after || after.kind !== 'word') return at;
  const isRegion = /^\p{Lu}/u.test(after.text) || (!ENDS.has(after.lower) && !STOP_WORDS.has(after.lower));
  const inList = tokens
    .slice(at + 2, at + 6)
    .some(
      ({ lower }, index, rest) =>
        lower === 'and' &&
        /^\p{Lu}/u.test(tokens[at + 3 + index]?.text ?? '') &&
        rest[index - 1] !== undefined,
    );
  if (!isRegion || (inList && tokens[at + 2]?.lower !== 'and')) return at;
  let end = at + 1;
  while (end < tokens.length && !ENDS.has(lowerAt(tokens, end))) end++;
  return end;
}

/** `weather berlin`, `Paris weather`, `London's temperature`, `packing for Tokyo, what's the weather there`. */
function besideTopic(clause: TokenText): string[] {
  const { tokens } = clause;
  const topic = tokens.findIndex(({ lower }) => isTopic(lower));
  if (topic === -1) return [];
  const start = [':', '-'].includes(lowerAt(tokens, topic + 1)) ? topic + 2 : topic + 1;
  const after = placeEnd(tokens, start);
  if (after > start && isPlaceWord(tokens[start])) return [textOf(clause, start, after)];
  let from = topic;
  let to = topic;
  if (tokens[to - 1]?.lower === "'s") from = --to;
  while (from > 0 && isPlaceWord(tokens[from - 1])) from--;
  return from < to ? [textOf(clause, from, to)] : [];
}

function isPlaceWord(token: Token | undefined): boolean {
  if (!token || (token.kind !== 'word' && token.kind !== 'quoted')) return false;
  return ![STOP_WORDS, POLITENESS, NOT_A_PLACE, CONDITIONS, ABOUT_WEATHER].some((words) =>
    words.has(token.lower),
  );
}

/** Words beside the topic that name no place. */
const ABOUT_WEATHER: ReadonlySet<string> = new Set(
  "current check report conditions currently like find look update what's data info information".split(' '),
);
