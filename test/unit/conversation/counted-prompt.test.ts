import { createAgentActivities } from '../../../activities/agent';
import type { ToolDescription } from '../../../src/contracts/http/llm';
import { NOTHING_RECALLED } from '../../../src/contracts/runs/turns';
import { createAnswerer } from '../../../src/conversation/answerer';
import type { Prompt } from '../../../src/llm/prompt-tokens';
import type { LlmProvider, SchemaChatRequest } from '../../../src/llm/provider';
import { inActivity } from '../../support/activity-context';
import { NO_LEDGER } from '../../support/spending';
import { NO_STAND_INS } from '../../support/stand-ins';

const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
const choice = { provider: 'local', model: 'small' } as const;
const LIMIT = { signal: new AbortController().signal, timeoutMs: 1_000 };
const INSTRUCTIONS = 'Mind the sea. '.repeat(100);
const SCHEMA = { type: 'object', description: 'x'.repeat(1_500) };
const recalled = {
  ...NOTHING_RECALLED,
  recent: Array.from({ length: 6 }, (_, n) => ({
    id: `m${n}`,
    role: 'user' as const,
    content: `note ${n}: ${`word${n} `.repeat(60)}`,
    timestamp: '2026-01-02T03:04:05.678Z',
  })),
};

const asked: SchemaChatRequest[] = [];
/** A model that reads 1,000 tokens, of four characters each. */
const provider = {
  name: 'local',
  contextTokens: () => Promise.resolve(1_000),
  estimatePrompt: (prompt: Prompt) => JSON.stringify(prompt).length / 4,
  chat(request: SchemaChatRequest) {
    asked.push(request);
    return Promise.resolve({ ...choice, content: '{}', value: {}, finishReason: 'stop', usage });
  },
} as unknown as LlmProvider;

const answerer = createAnswerer({
  provider: () => provider,
  rules: undefined,
  hasModel: true,
  ledger: NO_LEDGER,
  schemas: { findProblem: () => Promise.resolve(undefined) },
  standIns: NO_STAND_INS,
  facts: () => Promise.resolve([]),
});
const tool = (name: string): ToolDescription => ({
  name,
  description: 'x'.repeat(800),
  inputSchema: {},
});
const agent = createAgentActivities({
  classification: {} as never,
  statistics: {} as never,
  facts: () => Promise.resolve([]),
  provider: () => provider,
  tools: () => Promise.resolve([tool('shop.order'), tool('calculator')]),
  prepareCall: () => Promise.reject(new Error('no agent is called here')),
});

/** How many memories a model is given that answers. */
async function answered(more: object): Promise<number> {
  const request = { query: 'What now?', recalled, tools: [], choice, withMemory: false, ...more };
  return (await answerer.answer(request, LIMIT)).sources.length;
}
/** How many a model is given that plans. */
async function planned(more: object): Promise<number> {
  const about = { query: 'What now?', userId: 'ann', sessionId: 's', choice, crossSession: true, ...more };
  return (await inActivity(() => agent.describeMemories(recalled, about))).sources.length;
}

test('instructions and schema leave less room for memories in the prompt of an answer', async () => {
  const all = await answered({});
  expect(all).toBeGreaterThan(2);
  expect(await answered({ instructions: INSTRUCTIONS })).toBeLessThan(all);
  expect(await answered({ responseSchema: SCHEMA })).toBeLessThan(all);
  expect(asked.at(-1)).toMatchObject({ schema: { document: SCHEMA } });
});

test('so do instructions in that of a plan, where fewer tools leave more', async () => {
  const usual = await planned({ tools: ['shop.*'] });
  expect(await planned({ tools: ['shop.*'], instructions: INSTRUCTIONS })).toBeLessThan(usual);
  expect(await planned({})).toBeLessThan(usual);
  expect(await planned({ tools: [] })).toBeGreaterThan(usual);
});
