import type { JsonSchema } from '../contracts/http/tools';
import { stem, wordsOf } from '../base/text/stem';

/**
 * Words of a tool's name count most, as they say most about what it does; then those of its description and parameters.
 */
const NAME_WEIGHT = 3;
const DESCRIPTION_WEIGHT = 1;
const PARAMETERS_WEIGHT = 0.5;

/** Maximum length of the beginning of a query and of a description that is read, characters. */
const MAX_QUERY = 4_000;
const MAX_DESCRIPTION = 2_000;
/** The number of parameters whose names are read. */
const MAX_NAMES = 64;

/** A tool with its parameters, or with the schema that has them. */
export interface RankedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters?: object;
  readonly inputSchema?: JsonSchema;
}

/**
 * Ranks the tools that share words with a query, the nearest first. A shared word counts by its rarity among the tools
 * (inverse document frequency: Spärck Jones, 1972), so that words of every description decide nothing. Works on stems,
 * in any language. Pure.
 */
export function rankByWords<T extends RankedTool>(query: string, tools: readonly T[]): T[] {
  const stems = stemsOf(query.slice(0, MAX_QUERY));
  const described = tools.map((tool) => ({ tool, weights: weightsOf(tool, stems) }));
  const rarity = new Map<string, number>();
  for (const word of stems) {
    const having = described.filter(({ weights }) => weights.has(word)).length;
    rarity.set(word, Math.log(1 + tools.length / (1 + having)));
  }
  return described
    .map(({ tool, weights }) => {
      const parts = [...weights].map(([word, weight]) => weight * (rarity.get(word) ?? 0));
      return { tool, score: parts.reduce((sum, part) => sum + part, 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

/** The words of a query that a tool has, each with the largest weight among the places where it stands. */
function weightsOf(
  { name, description, parameters, inputSchema }: RankedTool,
  stems: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of stemsOf(text)) if (stems.has(word) && !weights.has(word)) weights.set(word, weight);
  };
  add(name, NAME_WEIGHT);
  add(description.slice(0, MAX_DESCRIPTION), DESCRIPTION_WEIGHT);
  const named = parameters ?? inputSchema?.['properties'] ?? {};
  add(Object.keys(named).slice(0, MAX_NAMES).join(' '), PARAMETERS_WEIGHT);
  return weights;
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).map(stem));
}
