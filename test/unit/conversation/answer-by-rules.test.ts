import { answerByRules, type KnownRequest } from '../../../src/conversation/answer-by-rules';
import { NOTHING_RECALLED } from '../../../src/contracts/runs/nothing-recalled';
import type { ToolOutcome } from '../../../src/contracts/http/conversations';
import type { LlmProvider } from '../../../src/llm/provider';
import { createRulesProvider } from '../../../src/llm/rules-provider';
import { rules } from '../../support/rules';

const limit = { signal: new AbortController().signal, timeoutMs: 1_000 };
// The rules ask no model where tools have run.
const answering = { conversation: rules.conversation, provider: {} as LlmProvider };

const REQUEST: KnownRequest = {
  query: 'How many litres did I say I use, divided by 4?',
  intent: 'hybrid',
  recalled: NOTHING_RECALLED,
  stored: NOTHING_RECALLED,
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
  const filled = { query: '40 divided by 4', unit: 'litres', sources: [] };
  return answerByRules({ ...REQUEST, tools: [outcome], filled }, answering, 'not-configured', limit);
}

test('a result has the unit of the remembered value, and a failure has none', async () => {
  expect((await answer({})).text).toBe('40 ÷ 4 = 10 litres.');
  const { text } = await answer({ success: false, error: 'Division by zero' });
  expect(text).toBe('The call of calculator failed: Division by zero.');
});

test('an answer that says why no tool was run is not recalled as something that was said', async () => {
  const query = 'How many seconds are in a day?';
  const toolProblem = `No tool fits "${query}".`;
  const asking = { conversation: rules.conversation, provider: createRulesProvider(rules.sentences) };
  expect(
    await answerByRules({ ...REQUEST, query, toolProblem }, asking, 'not-configured', limit),
  ).toMatchObject({
    text: `I could not work that out: ${toolProblem}`,
    nothingKnown: true,
  });
});
