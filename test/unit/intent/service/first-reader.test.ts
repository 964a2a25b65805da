import type { ProviderName } from '../../../../src/contracts/http/llm';
import type { ClassificationOptions } from '../../../../src/contracts/http/intents';
import { HoldfastError } from '../../../../src/base/errors';
import { NotSentError } from '../../../../src/llm/answer-errors';
import type { LlmProvider } from '../../../../src/llm/provider';
import { createIntentClassification, type FirstReader } from '../../../../src/intent/service/classification';
import { rules } from '../../../support/rules';
import { NO_LEDGER } from '../../../support/spending';
import { keptStandIns } from '../../../support/stand-ins';

const SURE = 'What is 15 times 7?';
const UNSURE = 'Tell me about it';
const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };
const ANSWER = { type: 'knowledge_search', confidence: 0.95, requiredTools: [], reasoning: 'asked' };

interface Setting {
  readonly provider?: ProviderName;
  readonly reader?: FirstReader;
  readonly honoursModel?: boolean;
  readonly failure?: Error;
}

/** Classifies by a scripted model. @returns the classification, the calls of the model and what stood in for it */
async function classify(
  query: string,
  { provider: name = 'local', reader = 'auto', honoursModel = true, failure }: Setting,
  options: ClassificationOptions = {},
) {
  let calls = 0;
  const structured = () => {
    calls += 1;
    if (failure !== undefined) return Promise.reject(failure);
    return Promise.resolve({ value: ANSWER, repaired: false, provider: name, model: 'm', usage });
  };
  const isLate = failure instanceof NotSentError;
  const inPlace = isLate ? () => Promise.reject(failure) : undefined;
  const provider = { name, defaultModel: 'm', structured, inPlace } as unknown as LlmProvider;
  const standIns = keptStandIns();
  const { intent, metadata } = await createIntentClassification({
    classifier: rules.classifier,
    providers: () =>
      Promise.resolve({
        default: name,
        get: () => provider,
        list: () => [name],
        resolve: () => ({ provider, model: 'm' }),
      }),
    tools: () =>
      Promise.resolve([
        { name: 'calculator', description: 'Adds and multiplies', inputSchema: { type: 'object' } },
      ]),
    toolTimes: () => Promise.resolve(new Map()),
    ledger: NO_LEDGER,
    standIns,
    firstReader: reader,
    honoursModel,
    maxWaitMs: 1_000,
  }).classify(query, { fallback: true, maxRetries: 1, ...options });
  return {
    type: intent.type,
    modelUsed: metadata.modelUsed,
    fallback: metadata.fallback,
    calls,
    noted: standIns.noted,
  };
}

test.each<[string, string, Setting, ClassificationOptions, number]>([
  ['a local model is not asked where the rules are sure', SURE, {}, {}, 0],
  ['a local model is asked where they are not', UNSURE, {}, {}, 1],
  ['a hosted model is asked first', SURE, { provider: 'hosted' }, {}, 1],
  ['the setting puts rules before a hosted model', SURE, { provider: 'hosted', reader: 'rules' }, {}, 0],
  ['the setting puts a local model before rules', SURE, { reader: 'model' }, {}, 1],
  ['a model that a request names is asked', SURE, {}, { model: 'm' }, 1],
  ['the model of a turn answers and need not classify', SURE, { honoursModel: false }, { model: 'm' }, 0],
  ['who wants to be surer than the rules are asks the model', SURE, {}, { confidenceThreshold: 1 }, 1],
])('%s', async (_, query, setting, options, calls) => {
  const result = await classify(query, setting, options);
  expect(result).toMatchObject({
    calls,
    noted: [],
    fallback: undefined,
    modelUsed: calls === 0 ? 'builtin' : 'm',
  });
  if (calls === 0) expect(result.type).toBe('tool_execution');
});

test('rules that stand in for a model that fails are noted, with the reason', async () => {
  const failure = new HoldfastError('MODEL_UNAVAILABLE', 'connection refused');
  const { noted, fallback, modelUsed } = await classify(UNSURE, { failure });
  expect(modelUsed).toBe('builtin');
  expect(noted).toEqual([
    { step: 'classify', by: 'rules', provider: 'local', reason: fallback, isOfCaller: true },
  ]);
  expect(fallback).toContain('connection refused');
});

test('a budget without room for the model is no failure of it', async () => {
  const failure = new HoldfastError('BUDGET_EXHAUSTED', 'no room');
  expect(await classify(UNSURE, { failure })).toMatchObject({ modelUsed: 'builtin', noted: [] });
});

test('a model that was not asked because of others before it is named so', async () => {
  const failure = new NotSentError('not asked: one call at once', { details: { timeout: 50, waiting: 3 } });
  const { fallback, noted, calls } = await classify(UNSURE, { failure });
  expect(fallback).toContain('one call at once');
  expect([noted.length, calls]).toEqual([1, 0]);
});
