import type { ChatMessage } from '../../../src/contracts/http/llm';
import { createPromptEstimates } from '../../../src/llm/prompt-estimates';
import { estimateTokens } from '../../../src/llm/prompt-tokens';
import { builtinDefinitions } from '../../../src/tools/builtin/declarations';

/** Counts of the tokenizer of current models of OpenAI (o200k), made once. */
test.each<[string, string, number]>([
  ['prose', 'Where neither memory nor your own knowledge has the answer, say that you do not know.', 18],
  ['JSON', '{"status":200,"data":[{"id":1000,"customer":"c0","total":12.5,"open":true}]}', 29],
  ['numbers', '0, 7919, 15838, 23757, 31676, 39595, 47514, 55433', 29],
  ['German', 'Die Geschwindigkeitsbegrenzung auf allen Autobahnen soll überprüft werden.', 17],
  ['Chinese', '我喜欢喝绿茶，每天早上都会去公园散步。', 16],
])('%s is estimated within a third', (_, text, counted) => {
  const estimate = estimateTokens(text) / counted;
  expect([estimate > 0.67, estimate < 1.34]).toEqual([true, true]);
});

/** Parameters that the built-in tools did not have when their prompts were counted. */
const LATER: ReadonlySet<string> = new Set(['form', 'paginate', 'params', 'parse']);
const tools = builtinDefinitions.map(({ name, description, inputSchema }) => ({
  name,
  description,
  inputSchema: {
    ...inputSchema,
    properties: Object.fromEntries(
      Object.entries(inputSchema.properties ?? {}).filter(([property]) => !LATER.has(property)),
    ),
  },
}));
const messages: ChatMessage[] = [
  {
    role: 'system',
    content: 'Choose the tools that the message needs, one after another, and answer from their results.',
  },
  { role: 'user', content: 'What is 48 plus 17?' },
];
const WITH_TOOLS = { model: 'm', messages, more: tools };
const PLAIN = { model: 'm', messages };

/** The prompts of the built-in tools in the template of Qwen2.5, and in the form of OpenAI. */
test.each([
  ['local', 942],
  ['hosted', 580],
] as const)(
  'before the first answer of a %s model the estimate is at most 40 %% off',
  (provider, counted) => {
    const estimate = createPromptEstimates(provider).estimate(WITH_TOOLS) / counted;
    expect([estimate > 0.95, estimate < 1.4]).toEqual([true, true]);
  },
);

test.each([0.6, 1, 1.7])(
  'after five answers it is within 15 %% of a tokenizer that counts %s as much',
  (factor) => {
    const estimates = createPromptEstimates('local');
    const counted = { plain: 40 * factor, tools: 40 * factor + 600 * factor };
    for (let call = 0; call < 5; call += 1) {
      estimates.learn(call % 2 === 0 ? WITH_TOOLS : PLAIN, call % 2 === 0 ? counted.tools : counted.plain);
    }
    for (const [prompt, tokens] of [
      [WITH_TOOLS, counted.tools],
      [PLAIN, counted.plain],
    ] as const) {
      const estimate = estimates.estimate(prompt) / tokens;
      expect([estimate >= 1, estimate < 1.15]).toEqual([true, true]);
    }
  },
);

test('a call that was counted twice, since it was repaired, changes nothing', () => {
  const estimates = createPromptEstimates('local');
  for (const tokens of [500, 1_000, 500, 500, 1_000]) estimates.learn(WITH_TOOLS, tokens);
  expect(estimates.estimate(WITH_TOOLS)).toBeLessThan(575);
});

test('a server that drops the tools counts none, and models do not learn from each other', () => {
  const estimates = createPromptEstimates('local');
  const before = estimates.estimate(WITH_TOOLS);
  estimates.learn(PLAIN, 45);
  estimates.learn(WITH_TOOLS, 45);
  expect(estimates.estimate(WITH_TOOLS)).toBeLessThan(60);
  expect(estimates.estimate({ ...WITH_TOOLS, model: 'another' })).toBe(before);
});
