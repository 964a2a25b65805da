import type { ChatMessage, ToolDescription } from '../contracts/http/llm';
import type { JsonSchema, ToolParameters } from '../contracts/http/tools';
import { parametersOf } from '../contracts/http/tool-schemas';
import { stem, wordsOf } from '../base/text/stem';
import { builtinDefinitions } from '../tools/builtin/declarations';
import { rankByWords } from './rank-by-words';
import type { ComparedTool } from './sentence-rules';

/** Maximum number of tools, and of the choices of their parameters together, that rules compare with a sentence. */
export const MAX_TOOLS = 32;
export const MAX_CHOICES = 400;
/** How many choices are searched for words of the query, if they are too many to be compared. */
const MAX_SEARCHED = 10_000;

const BUILTIN: ReadonlySet<string> = new Set(builtinDefinitions.map(({ name }) => name));

/**
 * Selects the tools that rules read a conversation for: all of them or, if they are too many, the built-in ones, those whose
 * words are nearest to the user's query, then the first by name. It depends on the query alone, because rules make the same plan again after
 * each call. Of choices that are too many, those remain that the query names. Pure.
 */
export function catalogueForRules(
  tools: readonly ToolDescription[],
  messages: readonly ChatMessage[],
): readonly ComparedTool[] {
  const content = messages.findLast(({ role }) => role === 'user')?.content;
  const query = typeof content === 'string' ? content : '';
  const nearest = nearestFirst(tools.map(toCompared), query);
  const selected = new Map(boundChoices(nearest, query).map((tool) => [tool.name, tool]));
  // The rules decide ties by the order of the list.
  return tools.flatMap(({ name }) => selected.get(name) ?? []);
}

/** The views of schemas. Lists of tools are kept, and so are their schemas. */
const views = new WeakMap<JsonSchema, ToolParameters>();

function toCompared({ name, description, inputSchema }: ToolDescription): ComparedTool {
  const parameters = views.get(inputSchema) ?? parametersOf(inputSchema);
  views.set(inputSchema, parameters);
  return { name, description, parameters };
}

function nearestFirst(tools: readonly ComparedTool[], query: string): readonly ComparedTool[] {
  if (tools.length <= MAX_TOOLS && countChoices(tools) <= MAX_CHOICES) return tools;
  const registered = tools.filter(({ name }) => !BUILTIN.has(name));
  const inOrder = [
    ...tools.filter(({ name }) => BUILTIN.has(name)),
    ...rankByWords(query, registered),
    ...registered,
  ];
  return [...new Set(inOrder)].slice(0, MAX_TOOLS);
}

function countChoices(tools: readonly ComparedTool[]): number {
  return tools
    .flatMap(({ parameters }) => Object.values(parameters))
    .reduce((sum, parameter) => sum + (parameter.enum?.length ?? 0), 0);
}

/** Leaves the nearest tools their choices; of a parameter whose choices are too many, those remain that share a word with the query. */
function boundChoices(tools: readonly ComparedTool[], query: string): readonly ComparedTool[] {
  if (countChoices(tools) <= MAX_CHOICES) return tools;
  const queryStems = new Set(wordsOf(query).map(stem));
  const isNamed = (choice: string): boolean => wordsOf(choice).some((word) => queryStems.has(stem(word)));
  let left = MAX_CHOICES;
  let unsearched = MAX_SEARCHED;
  return tools.map((tool) => {
    const parameters = Object.entries(tool.parameters).map(([name, parameter]) => {
      if (parameter.enum === undefined) return [name, parameter] as const;
      if (parameter.enum.length <= left) {
        left -= parameter.enum.length;
        return [name, parameter] as const;
      }
      const searched = parameter.enum.slice(0, left === 0 ? 0 : unsearched);
      const choices = searched.filter(isNamed).slice(0, left);
      unsearched -= searched.length;
      left -= choices.length;
      return [name, { ...parameter, enum: choices }] as const;
    });
    return { ...tool, parameters: Object.fromEntries(parameters) };
  });
}
