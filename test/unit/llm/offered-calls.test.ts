import type { ToolDescription } from '../../../src/contracts/http/llm';
import { offeredBesides } from '../../../src/llm/offered-besides';
import { MAX_OFFERED, offeredCalls } from '../../../src/llm/offered-tools';

const tool = (name: string): ToolDescription => ({ name, description: 'Sells lamps', inputSchema: {} });

test('agents are offered whatever the tools are, and replace tools of the same names', () => {
  const tools = [tool('agent_clerk'), ...Array.from({ length: 150 }, (_, index) => tool(`lamp_${index}`))];
  const agents = [
    { id: 'clerk', description: 'Calculates' },
    { id: 'cook', description: 'Cooks' },
  ];
  const offered = offeredCalls(tools, [{ role: 'user', content: 'lamps' }], offeredBesides({ agents }));
  expect(offered).toHaveLength(MAX_OFFERED);
  expect(offered.filter(({ name }) => name.startsWith('agent_'))).toMatchObject([
    { name: 'agent_clerk', description: 'Asks the agent "clerk": Calculates' },
    { name: 'agent_cook' },
  ]);
  expect(offeredCalls(tools.slice(0, 3), [], [])).toEqual(tools.slice(0, 3));
});
