import type { IntentType } from '../../../../src/contracts/intent-types';
import { planExecution } from '../../../../src/intent/service/execution-plan';

const times = new Map([['calculator', 2.5]]);
const plan = (type: IntentType, requiredTools: string[] = [], answeredBy: 'builtin' | 'model' = 'builtin') =>
  planExecution({ type, requiredTools }, answeredBy, (names) =>
    Promise.resolve(new Map([...times].filter(([name]) => names.includes(name)))),
  );

test.each<[IntentType, string[], string[], number, string]>([
  ['conversation', [], ['answer'], 5, 'simple'],
  ['memory_chat', [], ['search memory', 'answer'], 35, 'simple'],
  ['knowledge_search', [], ['search knowledge', 'answer'], 35, 'simple'],
  ['tool_execution', ['calculator'], ['run calculator', 'answer'], 7.5, 'simple'],
  ['tool_execution', [], ['choose and run a tool', 'answer'], 255, 'simple'],
  ['hybrid', ['calculator'], ['search memory', 'run calculator', 'answer'], 37.5, 'moderate'],
  [
    'hybrid',
    ['api_call', 'calculator'],
    ['search memory', 'run api_call', 'run calculator', 'answer'],
    287.5,
    'complex',
  ],
])('%s with %j', async (type, tools, steps, estimatedTime, complexity) => {
  expect(await plan(type, tools)).toEqual({ steps, estimatedTime, complexity });
});

test('a model takes longer to answer', async () => {
  expect((await plan('conversation', [], 'model')).estimatedTime).toBe(1_500);
});
