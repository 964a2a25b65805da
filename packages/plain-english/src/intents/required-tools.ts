import { wordsTagged } from '../text/lexicon/words';
import { stem } from '../text/stem';
import { type IntentType, type NamedTool, usesTools } from './intent-types';
import { classOf, type WordClass } from './word-classes';

/** What in a query asks for a kind of tool: word classes and placeholders of tokens, by the name of such a tool. */
const KINDS: readonly { readonly name: RegExp; readonly asks: readonly (WordClass | `<${string}>`)[] }[] = [
  { name: /calc|math|arithmetic/, asks: ['calc', 'unit', 'currency', '<num>'] },
  { name: /http|api|fetch|request|curl|web/, asks: ['<url>', 'net'] },
  { name: /json/, asks: ['<json>', '<list>'] },
  { name: /weather|forecast|meteo/, asks: ['weather'] },
  { name: /file|csv|document/, asks: ['<file>'] },
];

/** Words that say nothing of what a tool does. */
const COMMON = wordsTagged('common');
const MIN_WORD_CHARACTERS = 4;
const MAX_DESCRIPTION_CHARACTERS = 2_000;
const KIND_SCORE = 3;
const NAME_WORD_SCORE = 2;
/** One word that a query shares with a description alone is no reason to name its tool. */
const MIN_SCORE = 2;

/**
 * The tools that a query seems to need, the best fit first: those of the kinds that it asks for, and those whose name or
 * description shares a telling word with it. Empty for intents that run no tools. Pure.
 */
export function requiredTools(
  tokens: readonly string[],
  type: IntentType,
  tools: readonly NamedTool[],
): string[] {
  if (!usesTools(type)) return [];
  const seen = new Set<string>(tokens.flatMap((token) => [token, classOf(token) ?? []].flat()));
  const words = tellingStems(tokens);
  return tools
    .map((tool) => {
      const name = tool.name.toLowerCase();
      const isAsked = KINDS.some((kind) => kind.name.test(name) && kind.asks.some((one) => seen.has(one)));
      const description = tool.description.slice(0, MAX_DESCRIPTION_CHARACTERS);
      const shared = NAME_WORD_SCORE * countShared(name, words) + countShared(description, words);
      return { name: tool.name, score: (isAsked ? KIND_SCORE : 0) + shared };
    })
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((one, other) => other.score - one.score)
    .map(({ name }) => name);
}

function countShared(text: string, words: ReadonlySet<string>): number {
  const stems = tellingStems(text.toLowerCase().match(/\p{L}+/gu) ?? []);
  return [...stems].filter((word) => words.has(word)).length;
}

function tellingStems(words: readonly string[]): Set<string> {
  const telling = words.filter(
    (word) => word.length >= MIN_WORD_CHARACTERS && !COMMON.has(word) && !word.startsWith('<'),
  );
  return new Set(telling.map(stem));
}
