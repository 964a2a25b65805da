import type { Engine } from '../../../temporal/engine';
import { listRuns } from '../../../temporal/run-list';

const scope = { taskQueue: 'q', workflowTypes: new Set(['executeTool']) };

test.each([
  ['area', { area: 'tools' }],
  ['tool', { tool: 'calculator' }],
  ['userId', { user: 'u' }],
  ['userId', { user: 'u', session: 's' }],
] as const)('without search attributes the filter %s is refused', async (field, filter) => {
  const engine = { address: 'here:1', current: () => ({ searchAttributes: false }) } as unknown as Engine;
  await expect(listRuns(engine, scope, { filter, limit: 5 })).rejects.toMatchObject({
    code: 'VALIDATION',
    details: { field, message: expect.stringContaining('search attributes') },
  });
});
