import { classifiesAs } from '../support/agent';
import { says } from '../support/model-server';
import type { ModelScenario } from './model-scenarios';

const ready = [
  { path: '/api/memory/reindex', body: {} },
  { path: '/api/memory-chat/initialize', body: {} },
  { path: '/api/agent/initialize', body: {} },
];

const agentTurn = (name: string, query: string, ...model: ModelScenario['model']): ModelScenario => ({
  name: `agentTurn-${name}`,
  before: ready,
  path: '/api/agent/execute',
  body: { query, options: { userId: 'cleo', sessionId: 'session-1' } },
  model,
});

const chatTurn = (name: string, ...model: ModelScenario['model']): ModelScenario => ({
  name: `memoryChatTurn-${name}`,
  before: ready,
  path: '/api/memory-chat/chat',
  body: { userId: 'cleo', sessionId: 'session-1', message: 'I keep bees' },
  model,
});

/** One step in each queue other than that of the run. */
export function queueScenarios(peerUrl: string): ModelScenario[] {
  const parameters = { name: 'string' };
  const execute = 'return "Hello " + args.name';
  const call = (name: string, toolName: string, args: object): ModelScenario => ({
    name: `executeTool-${name}`,
    path: '/api/tools/execute',
    body: { toolName, args },
    model: [],
  });
  return [
    call('in-io', 'api_call', { url: `${peerUrl}/user`, method: 'GET' }),
    {
      ...call('in-sandbox', 'greet', { name: 'Ada' }),
      prepare: { name: 'greet', parameters, execute },
    },
    agentTurn('in-models', 'Good day', classifiesAs('conversation'), says('Good day.')),
  ];
}

/** Turns whose model steps no worker takes. */
export function notTakenScenarios(): ModelScenario[] {
  return [agentTurn('not-taken', 'Good day'), chatTurn('not-taken')];
}
