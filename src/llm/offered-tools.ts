import type { ChatMessage, ToolDescription } from '../contracts/http/llm';
import { rankByWords } from './rank-by-words';

/** Maximum length of a tool's output in a prompt, characters; more would not fit the model's context. */
export const MAX_TOOL_OUTPUT_LENGTH = 24_000;

/** OpenAI refuses a request with more tools; other servers slow down long before. */
export const MAX_OFFERED = 128;

/**
 * Selects what a planner is offered: agents and the caller's tools, which replace tools of the same names, and as many tools as a model
 * accepts besides. Pure.
 * @param besides agents and the caller's tools
 */
export function offeredCalls(
  tools: readonly ToolDescription[],
  messages: readonly ChatMessage[],
  besides: readonly ToolDescription[],
): readonly ToolDescription[] {
  if (besides.length === 0) return offeredTools(tools, messages);
  const names = new Set(besides.map(({ name }) => name));
  const others = tools.filter(({ name }) => !names.has(name));
  return [...besides, ...offeredTools(others, messages, MAX_OFFERED - besides.length)];
}

/**
 * Selects the tools that a model is offered: all of them, or, if they are more than it accepts, those that the
 * conversation has used, then those whose words are nearest to the user's query, then the first by name.
 */
export function offeredTools(
  tools: readonly ToolDescription[],
  messages: readonly ChatMessage[],
  max = MAX_OFFERED,
): readonly ToolDescription[] {
  if (tools.length <= max) return tools;
  const used = new Set(
    messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolRequests ?? []).map(({ toolName }) => toolName) : [],
    ),
  );
  const query = messages.findLast(({ role }) => role === 'user')?.content;
  const inOrder = [
    ...tools.filter(({ name }) => used.has(name)),
    ...rankByWords(typeof query === 'string' ? query : '', tools),
    ...tools,
  ];
  return [...new Map(inOrder.map((tool) => [tool.name, tool])).values()].slice(0, max);
}
