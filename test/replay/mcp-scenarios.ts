import { callsTools, says } from '../support/model-server';
import { text, type startRemoteMcp } from '../support/remote-mcp';
import { customBody, toolStep } from '../support/workflow-steps';
import type { ModelScenario } from './model-scenarios';

/** The tools of the remote server. */
export const SHOP_TOOLS: Parameters<typeof startRemoteMcp>[0] = {
  find: { annotations: { readOnlyHint: true }, call: () => text('tea') },
  buy: { call: ({ what = 'nothing' }) => text(`bought ${String(what)}`) },
};

/** Calls of a remote server's tools: in steps, and one that a model planned and a person approves. */
export function mcpScenarios(shopUrl: string): ModelScenario[] {
  const before = [{ path: '/api/mcp-servers', body: { name: 'shop', url: shopUrl } }];
  const steps = [
    toolStep('find', 'shop.find'),
    toolStep('buy', 'shop.buy', { what: '{{find.result}}' }, { retry: { maximumAttempts: 2 } }),
    toolStep('each', 'shop.find', {}, { dependsOn: [], forEach: { items: [1, 2] } }),
  ];
  return [
    {
      name: 'customWorkflow-remote-tools',
      before,
      path: '/api/workflow/execute-custom',
      body: customBody(steps),
      model: [],
    },
    {
      name: 'mcpExecution-remote-tool-approved',
      before,
      path: '/api/tools/mcp',
      body: { query: 'get me tea' },
      model: [callsTools([{ name: 'shop.buy', args: { what: 'tea' } }]), says('Done.')],
      approval: { name: 'approval-remote-tool', answer: { decision: 'approve', by: 'ada' } },
    },
  ];
}
