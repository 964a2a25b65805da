import { stem } from '../text/stem';
import { CUES } from './cues';
import { type IntentType, usesTools } from './intent-types';
import type { NamedTool } from './types';
import { wordsTagged } from '../text/lexicon/words';

/** Cues that ask for a kind of tool, and how such a tool is called. */
const KINDS: readonly { readonly name: RegExp; readonly cues: readonly string[] }[] = [
  { name: /calc|math|arithmetic/, cues: ['symbols', 'calc-verb', 'percent', 'into-unit', 'days-until', 'calc-words', 'two-numbers'] },
  { name: /http|api|fetch|request|curl|web/, cues: ['url', 'net-verb'] },
  { name: /json/, cues: ['json-start', 'json'] },
  { name: /weather|forecast|meteo/, cues: ['weather-strong'] },
  { name: /file|csv|document/, cues: ['file'] },
]; // prettier-ignore

const COMMON = wordsTagged('common'); // prettier-ignore
const SHORTEST = 4;
const MAX_DESCRIPTION = 2_000;

/**
 * The tools that a query seems to need: those of the kinds its cues ask for, and those whose name or description
 * shares a telling word with it; the best fit first. Empty for intents that run no tools. Pure.
 */
export function requiredTools(
  tokens: readonly string[],
  cues: readonly number[],
  type: IntentType,
  tools: readonly NamedTool[],
): string[] {
  if (!usesTools(type)) return [];
  const seen = new Set(cues.map((index) => CUES[index]?.id));
  const words = new Set(tokens.filter((token) => telling(token)).map(stem));
  return tools
    .map((tool) => {
      const name = tool.name.toLowerCase();
      const asked = KINDS.filter(
        (kind) => kind.name.test(name) && kind.cues.some((cue) => seen.has(cue)),
      ).length;
      const inName = shared(name, words);
      return {
        tool,
        score: asked * 3 + inName * 2 + shared(tool.description.slice(0, MAX_DESCRIPTION), words),
      };
    })
    .filter(({ score }) => score >= 2)
    .sort((one, two) => two.score - one.score)
    .map(({ tool }) => tool.name);
}

function shared(text: string, words: ReadonlySet<string>): number {
  const own = new Set((text.toLowerCase().match(/\p{L}+/gu) ?? []).filter(telling).map(stem));
  return [...own].filter((word) => words.has(word)).length;
}

const telling = (word: string): boolean =>
  word.length >= SHORTEST && !COMMON.has(word) && !word.startsWith('<');
