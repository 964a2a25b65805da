import type { ChatMessage, ToolDescription } from '../contracts/http/llm';
import { rankByWords } from './rank-by-words';

/** OpenAI refuses a request with more tools; other servers slow down long before. */
export const MAX_OFFERED = 128;

/**
 * Selects the tools that a model is offered: all of them, or, if they are more than it accepts, those that the
 * conversation has used, then those whose words are nearest to the user's query, then the first by name.
 */
export function offeredTools(
  tools: readonly ToolDescription[],
  messages: readonly ChatMessage[],
): readonly ToolDescription[] {
  if (tools.length <= MAX_OFFERED) return tools;
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
  return [...new Map(inOrder.map((tool) => [tool.name, tool])).values()].slice(0, MAX_OFFERED);
}
