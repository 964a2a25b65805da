import { callsTools, says } from '../support/model-server';
import { text, type startRemoteMcp } from '../support/remote-mcp';
import type { ModelScenario } from './model-scenarios';

/** The tools of the remote server. */
export const SHOP_TOOLS: Parameters<typeof startRemoteMcp>[0] = {
  find: { annotations: { readOnlyHint: true }, call: () => text('tea') },
  buy: { call: ({ what = 'nothing' }) => text(`bought ${String(what)}`) },
};

/** A call of a remote server's tool that a model planned and a person approves. */
export function mcpScenarios(shopUrl: string): ModelScenario[] {
  const before = [{ path: '/api/mcp-servers', body: { name: 'shop', url: shopUrl } }];
  return [
    {
      name: 'mcpExecution-remote-tool-approved',
      before,
      path: '/api/tools/mcp',
      body: { query: 'get me tea' },
      model: [callsTools([{ name: 'shop.buy', args: { what: 'tea' } }]), says('Done.')],
      approval: { answer: { decision: 'approve', by: 'ada' } },
    },
  ];
}
