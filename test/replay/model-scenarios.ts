import { type Behaviour, callsTools, refusesKey, says } from '../support/model-server';
import { calculates, fetches } from '../support/model-service';
import type { Scenario } from './scenario';

/** A path through a workflow that asks a model. */
export interface ModelScenario extends Scenario {
  /** The model's behaviours, one for each request. */
  readonly model: readonly Behaviour[];
  /** Those for the requests that are sent first. */
  readonly modelBefore?: readonly Behaviour[];
}

const ADD = callsTools([calculates('add', 2, 3)]);
const DIVIDE = callsTools([calculates('divide', 1, 0)]);
const DONE = says('Done.');
const UNKNOWN = callsTools([{ name: 'teleport', args: {} }]);

export function modelScenarios(peerUrl: string): ModelScenario[] {
  const user = fetches(`${peerUrl}/user`);
  const order = callsTools([fetches(`${peerUrl}/orders`, { method: 'POST', body: { item: 7 } })]);
  const fromQuery = (name: string, ...model: Behaviour[]): ModelScenario => ({
    name: `executeToolFromQuery-${name}`,
    path: '/api/tools/execute-with-llm',
    body: { query: 'add two and three', toolName: 'calculator' },
    model,
  });
  /** Two types of one workflow, which differ only in how they report a failed tool. */
  const mcp = (name: string, options: object, ...model: Behaviour[]): ModelScenario => {
    const allow = { hosts: [peerUrl.replace('http://', '')] };
    const body = { query: 'reach the goal', options: { allow, ...options } };
    return { name: `mcpExecution-${name}`, path: '/api/tools/mcp', body, model };
  };
  const work = (name: string, query: string, options: object, ...model: Behaviour[]): ModelScenario => ({
    name: `queryWorkflow-${name}`,
    path: '/api/workflow/execute',
    body: { query, options },
    model,
  });
  return [
    {
      ...fromQuery('rules'),
      body: { query: 'add two and three', toolName: 'calculator', options: { model: 'builtin' } },
    },
    fromQuery('success', ADD),
    fromQuery('corrected', callsTools([calculates('add', 2, 'three')]), ADD),
    fromQuery('failed-tool', DIVIDE),
    fromQuery('several-calls', callsTools([calculates('add', 1, 2), calculates('add', 3, 4)])),
    fromQuery('failed-model', UNKNOWN, UNKNOWN),
    {
      ...fromQuery('regular-success', callsTools([user])),
      body: { query: 'fetch the user', toolName: 'api_call' },
    },
    mcp(
      'success',
      {},
      callsTools([user]),
      callsTools([calculates('add', 7, 1), calculates('multiply', 8, 2)]),
      DONE,
    ),
    mcp('replanned', {}, callsTools([calculates('add', 1, 1), calculates('divide', 1, 0), user]), ADD, DONE),
    mcp('failed-tool', {}, DIVIDE, DIVIDE, DIVIDE),
    mcp('timed-out-tool', { timeout: 500 }, callsTools([fetches(`${peerUrl}/never`)]), ADD, DONE),
    mcp('iteration-limit', { maxIterations: 1 }, ADD, ADD),
    mcp('failed-model', {}, callsTools([user]), refusesKey()),
    mcp('stopped-circle', {}, ...Array<Behaviour>(4).fill(order)),
    mcp('asked-again', {}, ADD, says(''), DONE),
    {
      name: 'mcpExecution-budget-raised',
      path: '/api/tools/mcp',
      body: { query: 'add up', options: { budget: { maxModelCalls: 1, onExceeded: 'pause' } } },
      approval: { answer: { decision: 'approve', budget: { maxModelCalls: 2 } } },
      model: [ADD, DONE],
    },
    work(
      'budget-finished',
      'add up',
      { budget: { maxToolCalls: 0, onExceeded: 'finish' } },
      ADD,
      says('I could not add.'),
    ),
    {
      name: 'customWorkflow-approved-prompt',
      path: '/api/workflow/execute-custom',
      body: {
        workflow: {
          name: 'asks',
          steps: [{ id: 'ask', type: 'llm_call', config: { prompt: 'Hello' }, approval: true }],
        },
        inputs: {},
      },
      approval: { answer: { decision: 'approve', args: { prompt: 'Good day' } } },
      model: [DONE],
    },
    work('refused-call', 'reach the goal', { allow: {} }, callsTools([user]), ADD, DONE),
    work('rules-failed-tool', 'divide 4 by 0', { model: 'builtin' }),
    {
      name: 'mcpExecution-rules-not-understood',
      path: '/api/tools/mcp',
      body: { query: 'tell me a joke', options: { model: 'builtin' } },
      model: [],
    },
  ];
}
