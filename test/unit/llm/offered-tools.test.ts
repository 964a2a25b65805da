import type { ChatMessage, ToolDescription } from '../../../src/contracts/http/llm';
import { MAX_OFFERED, offeredTools } from '../../../src/llm/offered-tools';

const tool = (name: string, description = ''): ToolDescription => ({ name, description, inputSchema: {} });
const many = Array.from({ length: 500 }, (_, index) => tool(`filler_${String(index).padStart(3, '0')}`));
const asks = (content: string): ChatMessage => ({ role: 'user', content });
const names = (tools: readonly ToolDescription[]): string[] => tools.map(({ name }) => name);

test('all tools are offered while a model takes them all', () => {
  const few = many.slice(0, MAX_OFFERED);
  expect(offeredTools(few, [asks('anything')])).toBe(few);
});

test('of more, those the question is about and those already used come first', () => {
  const tools = [...many, tool('used_before'), tool('translate_text', 'Translates a text into a language')];
  const messages: ChatMessage[] = [
    asks('translate this text into German'),
    { role: 'assistant', content: '', toolRequests: [{ id: '1', toolName: 'used_before', args: {} }] },
  ];
  const offered = names(offeredTools(tools, messages));
  expect(offered).toHaveLength(MAX_OFFERED);
  expect(offered.slice(0, 2)).toEqual(['used_before', 'translate_text']);
  expect(new Set(offered).size).toBe(MAX_OFFERED);
});
