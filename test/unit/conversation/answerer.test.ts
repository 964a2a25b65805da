import { HoldfastError } from '../../../src/base/errors';
import { type AnswererPorts, createAnswerer } from '../../../src/conversation/answerer';
import type { RecalledText } from '../../../src/conversation/conversation-rules';
import type { LlmProvider } from '../../../src/llm/provider';
import { foldFacts } from '../../../src/memory/facts/fold';
import { rules } from '../../support/rules';
import { keptStandIns, NO_STAND_INS } from '../../support/stand-ins';
import { NOTHING_RECALLED } from '../../../src/contracts/runs/turns';

const LIMIT = { signal: new AbortController().signal, timeoutMs: 1_000 };

const SAID = 'I live in Leeds. The bus is late. I like tea.';
const home = (value: string) =>
  ({ subject: 'user', attribute: 'home', value, change: 'holds', single: true, start: 0, end: 16 }) as const;
const FACTS = foldFacts([
  { memoryId: 'm1', at: 1, said: [home('Leeds')] },
  { memoryId: 'm2', at: 2, said: [home('York')] },
]);

test('of a memory, the clauses that hold no more are left out once, for rules and in the context', async () => {
  const read: RecalledText[] = [];
  const conversation = {
    ...rules.conversation,
    answerFromFacts: () => undefined,
    answerFromMemories(_query: string, memories: readonly RecalledText[]) {
      read.push(...memories);
      return { text: 'The bus.', sourceIds: ['m1'] };
    },
  };
  const answerer = createAnswerer({
    provider: () => ({}) as LlmProvider,
    rules: { conversation, provider: {} as LlmProvider },
    hasModel: false,
    ledger: {} as never,
    schemas: {} as never,
    standIns: NO_STAND_INS,
    facts: () => Promise.resolve(FACTS),
  });
  const recent = [{ id: 'm1', role: 'user', content: SAID, timestamp: '2026-01-02T03:04:05.678Z' }] as const;
  const answer = await answerer.answer(
    {
      query: 'What is late?',
      userId: 'ada',
      recalled: { ...NOTHING_RECALLED, recent },
      tools: [],
      choice: { provider: 'builtin', model: 'builtin' },
      withMemory: true,
    },
    LIMIT,
  );
  expect(read.map(({ text }) => text)).toEqual(['The bus is late. I like tea.']);
  expect(answer.context).toContain('>The bus is late. I like tea.<');
});

const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };
const says = (content: string) => () =>
  Promise.resolve({ provider: 'local', model: 'thinker', content, finishReason: 'length', usage });
const fails = () =>
  Promise.reject(new HoldfastError('MODEL_OUTPUT_INVALID', 'no use', { details: { usage } }));
const NO_TEXT = 'The answer of "thinker" has no text';

describe.each([
  ['says nothing', says(''), NO_TEXT],
  ['says white space', says(' \n'), NO_TEXT],
  ['fails after it has used tokens', fails, 'no use'],
])('where the model %s', (_case, chat, reason) => {
  const small = { promptTokens: 1, completionTokens: 2, totalTokens: 3 };
  const computed = { provider: 'builtin', model: 'builtin', content: 'It is 5.', usage: small };
  const builtin = { chat: () => Promise.resolve(computed) } as unknown as LlmProvider;
  const standIns = keptStandIns();
  const ask = (byRules: AnswererPorts['rules']) =>
    createAnswerer({
      provider: () => ({ name: 'local', chat }) as unknown as LlmProvider,
      rules: byRules,
      hasModel: true,
      ledger: {} as never,
      schemas: {} as never,
      standIns,
      facts: () => Promise.resolve([]),
    }).answer(
      {
        query: 'What is 2 plus 3?',
        userId: 'ada',
        recalled: NOTHING_RECALLED,
        tools: [],
        choice: { provider: 'local', model: 'thinker' },
        withMemory: true,
      },
      LIMIT,
    );

  test('the rules answer, the answer says so, and the tokens of the model count', async () => {
    expect(await ask({ conversation: rules.conversation, provider: builtin })).toMatchObject({
      text: expect.stringContaining('It is 5.'),
      provider: 'builtin',
      usage: { promptTokens: 11, completionTokens: 7, totalTokens: 18 },
      degraded: [{ service: 'llm', reason }],
    });
  });

  test('without rules what is known is quoted', async () => {
    const answer = await ask(undefined);
    expect(answer.text.trim()).not.toBe('');
    expect(answer).toMatchObject({ usage });
    expect(answer.degraded).toHaveLength(1);
  });
});
