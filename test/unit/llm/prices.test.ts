import { writeFileSync } from 'node:fs';
import { addModelCall, costOf, NO_RUN_USAGE, priceOf } from '../../../src/contracts/runs/budgets';
import type { ModelChoice } from '../../../src/contracts/runs/workflows';
import { createPriceTable, type PriceTable } from '../../../src/llm/prices';
import { temporaryFolder } from '../../contract/support/temporary-folder';

const PRICE = { input: 2, cachedInput: 1, output: 8 };
const tokens = (promptTokens: number, completionTokens: number, more: object = {}) => ({
  promptTokens,
  completionTokens,
  totalTokens: promptTokens + completionTokens,
  ...more,
});

test.each<[string, object, number | null]>([
  ['prompt and answer', tokens(1_000_000, 1_000_000), 10],
  ['cached tokens, which are a part of the prompt', tokens(1_000_000, 0, { cachedTokens: 400_000 }), 1.6],
  ['thoughts, which are a part of the answer', tokens(0, 100, { reasoningTokens: 60 }), 0.0008],
  ['nothing', tokens(0, 0), 0],
])('a call costs %s', (_, usage, cost) => {
  expect(costOf(usage as ReturnType<typeof tokens>, PRICE)).toBe(cost);
});

test('cached tokens cost what others do where the table does not say otherwise', () => {
  expect(costOf(tokens(1_000_000, 0, { cachedTokens: 1_000_000 }), { input: 2, output: 8 })).toBe(2);
});

test('usage adds up, and a cost that is unknown stays so', () => {
  const first = addModelCall(NO_RUN_USAGE, tokens(10, 5, { cachedTokens: 4 }), 0.1);
  const second = addModelCall(first, tokens(1, 2, { cachedTokens: 1, reasoningTokens: 2 }), 0.2);
  expect(second).toEqual({
    promptTokens: 11,
    completionTokens: 7,
    cachedTokens: 5,
    reasoningTokens: 2,
    costUsd: 0.3,
    modelCalls: 2,
    toolCalls: 0,
  });
  const unknown = addModelCall(addModelCall(second, tokens(1, 1), null), tokens(1, 1), 0.5);
  expect(unknown.costUsd).toBeNull();
});

const HOSTED = { provider: 'hosted' } as const;
const priceIn = (table: PriceTable, choice: ModelChoice) => table.of(choice).models[choice.model];

test.each<[string, number | undefined]>([
  ['gpt-5.4-mini', 0.75],
  ['gpt-4o', 2.5],
  ['gpt-4o-2024-05-13', 5],
  ['gpt-4o-2024-08-06', 2.5],
  ['gpt-4o-mini-2024-07-18', 0.15],
  ['toString', undefined],
  ['llama3.1', undefined],
])('%s costs %s a million tokens of input at OpenAI', (model, input) => {
  expect(priceIn(createPriceTable({}), { ...HOSTED, model })?.input).toBe(input);
});

test.each<[string, object, ModelChoice, number | undefined]>([
  [
    'at a gateway that is not known counts as OpenAI',
    { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
    { ...HOSTED, model: 'gpt-4o' },
    2.5,
  ],
  [
    'at another operator has the price of that',
    { LOCAL_LLM_BASE_URL: 'https://api.groq.com/openai/v1' },
    { provider: 'local', model: 'llama-3.1-8b-instant' },
    0.05,
  ],
  [
    'of a server of this machine has none, whatever its name',
    { LOCAL_LLM_BASE_URL: 'http://127.0.0.1:11434/v1' },
    { provider: 'local', model: 'gpt-4o' },
    undefined,
  ],
])('a model %s', (_, settings, choice, input) => {
  expect(priceIn(createPriceTable(settings), choice)?.input).toBe(input);
});

test('the version of the built-in prices is that of their package', () => {
  expect(createPriceTable({}).of({ ...HOSTED, model: 'gpt-5.4-mini' })).toEqual({
    version: expect.stringMatching(/^genai-prices \d+\.\d+\.\d+$/),
    models: { 'gpt-5.4-mini': { input: 0.75, cachedInput: 0.075, output: 4.5 } },
  });
});

test('the built-in rules cost nothing', () => {
  const price = priceOf({ provider: 'builtin', model: 'builtin' }, undefined);
  expect(costOf(tokens(5, 5), price)).toBe(0);
});

describe('a file of prices', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const written = (text: string): string => {
    const path = folder.file('prices.json');
    writeFileSync(path, text);
    return path;
  };

  test('counts before the built-in prices, which stay for all others', () => {
    const ours = { input: 0.1, output: 0.2 };
    const models = { 'llama3.1': ours, 'gpt-4o': ours };
    const text = JSON.stringify({ version: 'ours', date: '2026-01-31', models });
    const table = createPriceTable({ MODEL_PRICES_FILE: written(text) });
    const kept = { version: 'ours', date: '2026-01-31' };
    expect(table.of({ provider: 'local', model: 'llama3.1' })).toEqual({
      ...kept,
      models: { 'llama3.1': ours },
    });
    const dated = 'gpt-4o-2024-08-06';
    expect(table.of({ ...HOSTED, model: dated })).toEqual({ ...kept, models: { [dated]: ours } });
    expect(priceIn(table, { ...HOSTED, model: 'gpt-4o-mini' })?.input).toBe(0.15);
  });

  test.each([
    ['{', /MODEL_PRICES_FILE/],
    ['{"version":"1","date":"yesterday","models":{}}', /date/],
    ['{"version":"1","date":"2026-01-31","models":{"m":{"input":-1,"output":1}}}', /input/],
    ['{"version":"1","date":"2026-01-31","models":{"m":{"input":1}}}', /output/],
  ])('is refused where it is %s', (text, problem) => {
    expect(() => createPriceTable({ MODEL_PRICES_FILE: written(text) })).toThrow(problem);
  });

  test('is refused if there is none', () => {
    expect(() => createPriceTable({ MODEL_PRICES_FILE: folder.file('none.json') })).toThrow(
      /MODEL_PRICES_FILE/,
    );
  });
});
