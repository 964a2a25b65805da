import { spend } from '../allowance';
import { onceFor } from '../text/once-for';
import type { ToolDescription } from '../types';
import { relatedness } from '../recall/meanings';
import { isTypoOf } from '../text/edit-distance';
import { stem, wordsOf } from '../text/stem';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { isSameThing } from './choices';
import { plainStem } from './slots';
import { isWeak, meansSame, sameMeaning } from './synonyms';
import { termsOf, type ToolTerms } from './tool-terms';
import type { Measures } from './weights';

/** Where a tool has a word: in its name or its choices, in its description, or in its parameters. */
type Place = 'name' | 'description' | 'parameters';
const WEAK_WEIGHT = 0.35;
/** Past these a further word says no more. */
const MAX_COUNT = 4;
/** Content words past this many are free text rather than the request. */
const MAX_WORDS = 40;
/** Letters in which two words of one family agree: `invite` and `invitation`. */
const FAMILY = 5;

/** How near in meaning a word is to one of the tool's that it stands for. */
const MIN_NEAR = 0.88;

/** Work of a tool and of each word of its parameters, and of comparing one of its own words with one of the text. */
const TOOL_COST = 1;
const TERM_COST = 0.5;

interface Terms {
  readonly words: readonly string[];
  readonly families: ReadonlySet<string>;
}

const wordsIn = onceFor((tool: ToolDescription): Readonly<Record<Place, Terms>> => {
  const parameters = Object.entries(tool.parameters);
  const terms = {
    name: toTerms(termsOf(tool).nameWords),
    description: toTerms(wordsOf(tool.description)),
    parameters: toTerms(
      parameters.flatMap(([name, one]) => [
        ...wordsOf(name),
        ...wordsOf(one.description),
        ...(one.enum ?? []).flatMap(wordsOf),
      ]),
    ),
  };
  return terms;
});

function toTerms(all: readonly string[]): Terms {
  const words = [...new Set(all)].filter((word) => word.length > 1 && !STOP_WORDS.has(word));
  return { words, families: new Set(words.flatMap(familyOf)) };
}

/** What a word is compared by: its stem, and where it is long its beginning. */
function familyOf(word: string): string[] {
  const own = plainStem(word);
  return [own, `${own.slice(0, FAMILY)}~`];
}

/** Where a tool has a word: itself, or in its name and its description one that means the same. */
function placeOf(word: string, terms: Readonly<Record<Place, Terms>>): Place | undefined {
  const own = familyOf(word);
  const others = sameMeaning(plainStem(word));
  const isSame = (place: Place): boolean => own.some((one) => terms[place].families.has(one));
  const isNear = (place: Place): boolean =>
    others.some((one) => terms[place].families.has(one)) ||
    terms[place].words.some((one) => relatedness(word, one) >= MIN_NEAR);
  if (isSame('name')) return 'name';
  if (isSame('description')) return 'description';
  if (isNear('name')) return 'name';
  if (isSame('parameters')) return 'parameters';
  return isNear('description') ? 'description' : undefined;
}

/** How the words of a text speak for each of several tools, against the others. */
export function measureWords(
  tokens: readonly Token[],
  tools: readonly ToolDescription[],
): readonly Measures[] {
  const words = tokens
    .filter(({ kind, lower }) => kind === 'word' && !STOP_WORDS.has(lower) && !POLITENESS.has(lower))
    .slice(0, MAX_WORDS)
    .flatMap(({ lower }) => (lower.includes('-') ? lower.split('-') : [lower]))
    .filter((word) => word.length > 1);
  const unique = [...new Set(words)];
  const all = tools.map(wordsIn);
  const count = (place: Place): number => all.reduce((sum, terms) => sum + terms[place].words.length, 0);
  const near = count('name') + count('description');
  spend(TOOL_COST * (tools.length + count('parameters')) + TERM_COST * near * unique.length);
  const found = unique.map((word) => ({ word, places: all.map((terms) => placeOf(word, terms)) }));
  return tools.map((tool, at) => ({ ...measureOne(found, at), named: coverName(words, termsOf(tool)) }));
}

/** Share of a tool's name that a text says, 0 to 1; what many tools do counts less. */
function coverName(words: readonly string[], { name, nameWords }: ToolTerms): number {
  const shares = name.map((term, index) => {
    const own = nameWords[index] ?? '';
    const isSaid = words.some((word) => stem(word) === term || isTypoOf(word, own));
    const isMeant = isSaid || words.some((word) => meansSame(stem(word), term) || isSameThing(word, own));
    return { weight: isWeak(term) ? WEAK_WEIGHT : 1, cover: isSaid ? 1 : isMeant ? 0.9 : 0 };
  });
  const total = shares.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 0 : shares.reduce((sum, { weight, cover }) => sum + weight * cover, 0) / total;
}

interface Found {
  readonly word: string;
  readonly places: readonly (Place | undefined)[];
}

function measureOne(found: readonly Found[], at: number): Measures {
  const counts: Record<string, number> = {};
  const add = (name: string, value: number): void => {
    counts[name] = Math.min(MAX_COUNT, (counts[name] ?? 0) + value);
  };
  found.forEach(({ word, places }, index) => {
    const own = places[at];
    const weight = isWeak(plainStem(word)) ? 'weak ' : '';
    const having = places.filter((place) => place !== undefined).length;
    const isFirst = index === 0 ? 'first ' : '';
    if (own !== undefined) {
      add(`${weight}${own}`, 1 / having);
      if (isFirst) add(`first ${own}`, 1 / having);
    } else if (having > 0 && places.some((place) => place === 'name' || place === 'description')) {
      add(`${weight}of others`, 1);
      if (isFirst) add('first of others', 1);
    }
  });
  return counts;
}
