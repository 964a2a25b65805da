import { type Behaviour, callsTools, refusesKey, says } from '../support/model-server';
import { calculates, fetches } from '../support/model-service';
import type { Scenario } from './scenario';

/** A path through a workflow that asks a model. */
export interface ModelScenario extends Scenario {
  /** The model's behaviours, one for each request. */
  readonly model: readonly Behaviour[];
}

const ADD = callsTools([calculates('add', 2, 3)]);
const DIVIDE = callsTools([calculates('divide', 1, 0)]);
const DONE = says('Done.');
const UNKNOWN = callsTools([{ name: 'teleport', args: {} }]);

export function modelScenarios(peerUrl: string): ModelScenario[] {
  const user = fetches(`${peerUrl}/user`);
  const fromQuery = (name: string, ...model: Behaviour[]): ModelScenario => ({
    name: `executeToolFromQuery-${name}`,
    path: '/api/tools/execute-with-llm',
    body: { query: 'add two and three', toolName: 'calculator' },
    model,
  });
  /** Both workflows that plan, because each reports a failed tool in its own way. */
  const planned = (name: string, options: object, ...model: Behaviour[]): ModelScenario[] => {
    const allow = { hosts: [peerUrl.replace('http://', '')] };
    const body = { query: 'reach the goal', options: { allow, ...options } };
    return [
      { name: `mcpExecution-${name}`, path: '/api/tools/mcp', body, model },
      { name: `queryWorkflow-${name}`, path: '/api/workflow/execute', body, model },
    ];
  };
  const byRules = (name: string, query: string): ModelScenario[] => {
    const body = { query, options: { model: 'builtin' } };
    return [
      { name: `mcpExecution-rules-${name}`, path: '/api/tools/mcp', body, model: [] },
      { name: `queryWorkflow-rules-${name}`, path: '/api/workflow/execute', body, model: [] },
    ];
  };
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
    ...planned(
      'success',
      {},
      callsTools([user]),
      callsTools([calculates('add', 7, 1), calculates('multiply', 8, 2)]),
      DONE,
    ),
    ...planned('no-tool', {}, says('There is nothing to do.')),
    ...planned(
      'replanned',
      {},
      callsTools([calculates('add', 1, 1), calculates('divide', 1, 0), user]),
      ADD,
      DONE,
    ),
    ...planned('failed-tool', {}, DIVIDE, DIVIDE, DIVIDE),
    ...planned('gave-up', {}, ADD, DIVIDE, says('That cannot be done.')),
    ...planned('timed-out-tool', { timeout: 500 }, callsTools([fetches(`${peerUrl}/never`)]), ADD, DONE),
    ...planned('iteration-limit', { maxIterations: 1 }, ADD, ADD),
    ...planned('failed-model', {}, callsTools([user]), refusesKey()),
    {
      name: 'mcpExecution-budget-raised',
      path: '/api/tools/mcp',
      body: { query: 'add up', options: { budget: { maxModelCalls: 1, onExceeded: 'pause' } } },
      approval: { name: 'approval-budget', answer: { decision: 'approve', budget: { maxModelCalls: 2 } } },
      model: [ADD, DONE],
    },
    {
      name: 'queryWorkflow-budget-finished',
      path: '/api/workflow/execute',
      body: { query: 'add up', options: { budget: { maxToolCalls: 0, onExceeded: 'finish' } } },
      model: [ADD, says('I could not add.')],
    },
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
      approval: { name: 'approval-prompt', answer: { decision: 'approve', args: { prompt: 'Good day' } } },
      model: [DONE],
    },
    ...planned('refused-call', { allow: {} }, callsTools([user]), ADD, DONE),
    ...byRules('chain', 'multiply 6 by 7 and then subtract 2'),
    ...byRules('fetched', `fetch ${peerUrl}/user and tell me the name`),
    ...byRules('failed-tool', 'divide 4 by 0'),
    ...byRules('not-understood', 'tell me a joke'),
  ];
}
