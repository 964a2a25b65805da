import { callChecks } from '../../support/argument-checks';
import { z } from 'zod';
import { HoldfastError } from '../../../src/base/errors';
import type { ModelAllowance } from '../../../src/contracts/runs/budgets';
import { answerLost, OutputInvalidError } from '../../../src/llm/answer-errors';
import type { LlmProvider } from '../../../src/llm/provider';
import type { SpendingLedger } from '../../../src/llm/spending-ledger';
import { MIN_COMPLETION_TOKENS, withinAllowance } from '../../../src/llm/within-allowance';
import { NO_LEDGER } from '../../support/spending';

const CONTEXT = { signal: new AbortController().signal, timeoutMs: 1_000 };
const messages = [{ role: 'user' as const, content: 'one two three' }];
const PRICE = { input: 1, output: 2 };

/** Asks for text within an allowance. @returns the limit of the answer that the provider was sent */
async function limitOf(
  allowance: ModelAllowance | undefined,
  maxTokens?: number,
): Promise<number | undefined> {
  let limit: number | undefined;
  const provider = {
    name: 'hosted',
    defaultModel: 'm',
    chat: (request: { maxTokens?: number }) => {
      limit = request.maxTokens;
      return Promise.resolve({});
    },
  } as unknown as LlmProvider;
  const request = maxTokens === undefined ? { messages } : { messages, maxTokens };
  await withinAllowance(provider, allowance, NO_LEDGER).chat(request, CONTEXT);
  return limit;
}

test.each<[string, ModelAllowance | undefined, number | undefined, (limit: number | undefined) => boolean]>([
  ['no budget', undefined, undefined, (limit) => limit === undefined],
  [
    'what models can give',
    { costUsd: 1, price: { input: 0, output: 0 } },
    undefined,
    (limit) => limit === 4_096,
  ],
  ['the limit of the caller', { tokens: 10_000 }, 70, (limit) => limit === 70],
  ['what is left', { tokens: 200 }, 1_000, (limit = 0) => limit > 100 && limit < 200],
  [
    'money that is left',
    { costUsd: 0.001, price: PRICE },
    undefined,
    (limit = 0) => limit > 450 && limit < 500,
  ],
  ['the less of both', { tokens: 200, costUsd: 1, price: PRICE }, undefined, (limit = 200) => limit < 200],
  ['a last answer', { completionTokens: 90 }, undefined, (limit) => limit === 90],
])('an answer is limited by %s', async (_, allowance, maxTokens, expected) => {
  expect(expected(await limitOf(allowance, maxTokens))).toBe(true);
});

test.each<[string, ModelAllowance, string]>([
  ['tokens', { tokens: MIN_COMPLETION_TOKENS }, 'maxTokens'],
  ['no tokens', { tokens: -5 }, 'maxTokens'],
  ['money', { costUsd: 0.0001, price: PRICE }, 'maxCostUsd'],
  ['no money for the prompt', { costUsd: -1, price: { input: 1, output: 0 } }, 'maxCostUsd'],
])('nothing is sent with too few %s left', async (_, allowance, limit) => {
  await expect(limitOf(allowance)).rejects.toMatchObject({
    code: 'BUDGET_EXHAUSTED',
    message: expect.stringMatching(/it needs about \d/),
    details: { limit, needed: expect.any(Number) },
  });
});

test('a short answer that the caller wants needs only room for itself', async () => {
  expect(await limitOf({ tokens: 40 }, 5)).toBe(5);
});

test('tools and schemas are a part of the prompt', async () => {
  const provider = {
    name: 'local',
    structured: () => Promise.resolve('asked'),
    chooseTools: () => Promise.resolve('asked'),
  } as unknown as LlmProvider;
  const { structured, chooseTools } = withinAllowance(provider, { tokens: 120 }, NO_LEDGER);
  const long = 'word '.repeat(200);
  const schema = z.object({ field: z.string().describe(long) });
  await expect(structured({ messages, schema, schemaName: 's' }, CONTEXT)).rejects.toThrow(/maxTokens/);
  const tools = [{ name: 't', description: long, inputSchema: {} }];
  await expect(
    chooseTools({ messages, tools, choice: 'auto' }, { ...CONTEXT, ...callChecks }),
  ).rejects.toThrow(/maxTokens/);
  expect(await chooseTools({ messages, tools: [], choice: 'auto' }, { ...CONTEXT, ...callChecks })).toBe(
    'asked',
  );
});

describe('with a limit that is shared', () => {
  const USAGE = { promptTokens: 3, completionTokens: 4, totalTokens: 7 };
  const shared = [{ user: 'ada', period: 'day' as const, maxTokens: 1_000 }];
  const booked: unknown[] = [];
  let problem: Error | undefined;
  const ledger: SpendingLedger = {
    reserve: (limits, decide) =>
      Promise.resolve({
        most: decide(limits.map((limit) => ({ ...limit, tokens: 1_000, costUsd: Infinity }))),
        settle(spent) {
          booked.push(spent);
          if (problem === undefined) return Promise.resolve();
          return Promise.reject(problem);
        },
      }),
  };
  const ask = (chat: () => Promise<unknown>): Promise<unknown> =>
    withinAllowance(
      { name: 'hosted', defaultModel: 'm', chat } as unknown as LlmProvider,
      { shared },
      ledger,
    ).chat({ messages }, CONTEXT);
  beforeEach(() => {
    booked.length = 0;
    problem = undefined;
  });

  test('what the call took is booked', async () => {
    expect(await ask(() => Promise.resolve({ usage: USAGE }))).toEqual({ usage: USAGE });
    expect(booked).toEqual([{ tokens: 7, costUsd: 0 }]);
  });

  test('what an unusable answer took is booked, and nothing for a model that did not answer', async () => {
    const about = { provider: 'hosted' as const, model: 'm', problem: 'no JSON', usage: USAGE };
    await expect(ask(() => Promise.reject(new OutputInvalidError(about)))).rejects.toThrow('no JSON');
    await expect(ask(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(booked).toEqual([
      { tokens: 7, costUsd: 0 },
      { tokens: 0, costUsd: 0 },
    ]);
  });

  const stopped = AbortSignal.abort(new Error('stopped'));
  test.each<[string, Error, AbortSignal, boolean]>([
    ['its time limit', new HoldfastError('MODEL_TIMEOUT', 'late'), CONTEXT.signal, true],
    ['its caller', new Error('stopped'), stopped, true],
    ['its provider', answerLost('hosted', 'the answer broke off'), CONTEXT.signal, true],
    ['a refusal', new HoldfastError('MODEL_UNAVAILABLE', 'too many'), CONTEXT.signal, false],
  ])(
    'a call that was ended by %s is booked with its prompt where it was sent',
    async (_, problem, signal, isBooked) => {
      const chat = (): Promise<never> => Promise.reject(problem);
      const provider = { name: 'hosted', defaultModel: 'm', chat } as unknown as LlmProvider;
      const error: unknown = await withinAllowance(provider, { shared }, ledger)
        .chat({ messages }, { ...CONTEXT, signal })
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ message: problem.message });
      expect(booked).toEqual([{ tokens: isBooked ? expect.any(Number) : 0, costUsd: 0 }]);
      const [{ tokens }] = booked as [{ tokens: number }];
      expect(tokens > 5 && tokens < 50).toBe(isBooked);
    },
  );

  test('a run without shared limits reads what a call that was cut off is counted with', async () => {
    const chat = (): Promise<never> => Promise.reject(new HoldfastError('MODEL_TIMEOUT', 'late'));
    const provider = { name: 'hosted', defaultModel: 'm', chat } as unknown as LlmProvider;
    const asked = withinAllowance(provider, { tokens: 1_000 }, ledger).chat({ messages }, CONTEXT);
    await expect(asked).rejects.toMatchObject({
      code: 'MODEL_TIMEOUT',
      details: { usage: { promptTokens: expect.any(Number), completionTokens: 0 } },
    });
    expect(booked).toEqual([]);
  });

  test('a store that is away loses no answer', async () => {
    problem = new HoldfastError('STORE_UNAVAILABLE', 'away', { retryable: true });
    expect(await ask(() => Promise.resolve({ usage: USAGE }))).toEqual({ usage: USAGE });
    expect(new Set(booked.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  test('the built-in rules take no part in it', async () => {
    const rules = { name: 'builtin', chat: () => Promise.resolve('said') } as unknown as LlmProvider;
    expect(withinAllowance(rules, { tokens: 1, shared }, ledger)).toBe(rules);
  });
});
