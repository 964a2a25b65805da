import { answerByRules, type KnownRequest } from '../../../src/conversation/answer-by-rules';
import type { ToolOutcome } from '../../../src/contracts/http/conversations';
import type { LlmProvider } from '../../../src/llm/provider';
import { createRulesProvider } from '../../../src/llm/rules-provider';
import { rules } from '../../support/rules';
import { NOTHING_RECALLED } from '../../../src/contracts/runs/turns';

const limit = { signal: new AbortController().signal, timeoutMs: 1_000 };
// The rules ask no model if tools have run.
const answering = { conversation: rules.conversation, provider: {} as LlmProvider };

const REQUEST: KnownRequest = {
  query: 'How many litres did I say I use, divided by 4?',
  intent: 'hybrid',
  recalled: NOTHING_RECALLED,
  tools: [],
  choice: { provider: 'builtin', model: 'builtin' },
  withMemory: true,
  facts: [],
};

function answer(tool: Partial<ToolOutcome>) {
  const outcome = {
    toolName: 'calculator',
    args: { operation: 'divide', a: 40, b: 4 },
    success: true,
    result: 10,
    executionTime: 1,
    ...tool,
  };
  return answerByRules({ ...REQUEST, tools: [outcome] }, answering, 'not-configured', limit);
}

const remembered = (id: string, content: string, timestamp: string, source = 'user') => ({
  id,
  userId: 'dana',
  sessionId: 'monday',
  content,
  timestamp,
  context: {},
  metadata: { source },
  relatedMemories: [],
  relevanceScore: 0.6,
});

test.each([
  ['not-configured', /OPENAI_API_KEY.*LOCAL_LLM_BASE_URL/],
  ['not-chosen', /none was asked/],
  ['failed', /did not answer/],
] as const)('what takes memory and a tool is quoted, with what it needs: %s', async (why, needs) => {
  const recalled = {
    ...NOTHING_RECALLED,
    episodic: [
      remembered('m1', 'I use 40 litres a week', '2026-05-01T08:00:00.000Z'),
      remembered('m2', 'I use 50 litres a week', '2026-05-03T08:00:00.000Z'),
      remembered('m3', 'You use 60 litres a week', '2026-05-04T08:00:00.000Z', 'assistant'),
    ] as unknown as KnownRequest['recalled']['episodic'],
  };
  const { text, sources, nothingKnown } = await answerByRules(
    { ...REQUEST, recalled },
    answering,
    why,
    limit,
  );
  expect(text).toMatch(/^You told me on 2026-05-03: “I use 50 litres a week”\n/);
  expect(text).toMatch(needs);
  expect({ sources, nothingKnown }).toEqual({ sources: ['m2'], nothingKnown: true });
});

test('what takes memory and a tool names what it needs where memory has nothing too', async () => {
  const { text, sources } = await answerByRules(REQUEST, answering, 'not-configured', limit);
  expect(text).toMatch(/^I have no memory that answers this.*\n.*OPENAI_API_KEY/);
  expect(sources).toEqual([]);
});

test('a result is given as it is, and so is a failure', async () => {
  expect((await answer({})).text).toBe('40 ÷ 4 = 10.');
  const { text } = await answer({ success: false, error: 'Division by zero' });
  expect(text).toBe('The call of calculator failed: Division by zero.');
});

test('an answer that says why no tool was run is not recalled as something that was said', async () => {
  const query = 'How many seconds are in a day?';
  const toolProblem = `No tool fits "${query}".`;
  const asking = { conversation: rules.conversation, provider: createRulesProvider(rules.sentences) };
  expect(
    await answerByRules(
      { ...REQUEST, query, intent: 'tool_execution', toolProblem },
      asking,
      'not-configured',
      limit,
    ),
  ).toMatchObject({
    text: `I could not work that out: ${toolProblem}`,
    nothingKnown: true,
  });
});

test('an answer names no memory that is archived, also where it was kept for another one before', async () => {
  const source = (memoryId: string, archived: object | undefined) => ({
    memoryId,
    start: 0,
    end: 9,
    ...(archived && { archived }),
  });
  const fact = {
    id: 'm1-0',
    subject: 'user',
    attribute: 'home',
    value: 'Leeds',
    single: true,
    certain: true,
    validFrom: 1,
    learnedAt: 1,
  };
  const said = { text: 'Leeds', factIds: ['m1-0'], sourceIds: ['m1', 'm2', 'm3'] };
  const asking = { ...answering, conversation: { ...rules.conversation, answerFromFacts: () => said } };
  const sourcesWhere = async (kept: object | undefined) => {
    const sources = [source('m1', { keptAs: 'm2' }), source('m2', kept), source('m3', undefined)];
    const request = {
      ...REQUEST,
      intent: 'memory_chat' as const,
      query: 'Where did I live?',
      facts: [{ ...fact, sources }],
    };
    return (await answerByRules(request, asking, 'not-configured', limit)).sources;
  };
  expect(await sourcesWhere(undefined)).toEqual(['m2', 'm3']);
  expect(await sourcesWhere({})).toEqual(['m3']);
});
