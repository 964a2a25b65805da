import { apiCall, calculator } from '../support/calls';
import { customBody, fetchStep, sumStep, toolStep } from '../support/workflow-steps';
import { callsTools, says } from '../support/model-server';
import { calculates, fetches } from '../support/model-service';
import type { ModelScenario } from './model-scenarios';
import type { Scenario } from './scenario';

/** Reruns of runs with steps that are taken from the first run, that run again, and whose result the caller gives. */
export function rerunScenarios(peerUrl: string): (Scenario | ModelScenario)[] {
  const user = apiCall(`${peerUrl}/user`);
  const rerun = (name: string, path: string, first: object, body: object): Scenario => ({
    name,
    before: [{ path, body: first }],
    path: '/api/runs/:id/rerun',
    body,
  });
  const allow = { hosts: [peerUrl.replace('http://', '')] };
  return [
    {
      ...rerun(
        'mcpExecution-reused',
        '/api/tools/mcp',
        { query: 'reach the goal', options: { allow } },
        { fromStep: '6', overrides: { 1: { result: { data: { id: 8 } } } } },
      ),
      modelBefore: [
        callsTools([fetches(`${peerUrl}/user`)]),
        callsTools([calculates('add', 7, 1), calculates('divide', 1, 0), calculates('add', 1, 1)]),
        callsTools([calculates('multiply', 7, 2), fetches(`${peerUrl}/user`)]),
        says('Done.'),
      ],
      model: [callsTools([calculates('add', 8, 1)]), says('Done.')],
    },
    rerun(
      'customWorkflow-reused',
      '/api/workflow/execute-custom',
      customBody([
        fetchStep('fetch', `${peerUrl}/user`),
        sumStep('sum', '{{fetch.result.data.items[0].id}}', 1),
        toolStep('broken', 'calculator', { operation: 'divide', a: '{{sum.result}}', b: 0 }),
        sumStep('last', '{{broken.result}}', '{{sum.result}}'),
      ]),
      { fromStep: 'sum', overrides: { broken: { result: 5 } } },
    ),
    rerun(
      'executeToolsInSequence-reused',
      '/api/tools/execute-sequential',
      {
        tools: [
          user,
          calculator('add', '{{previous_result.data.items[0].id}}', 1),
          calculator('divide', '{{previous_result}}', 0),
          calculator('add', '{{previous_result}}', 1),
        ],
      },
      { fromStep: '2', overrides: { 3: { result: 7 } } },
    ),
    rerun(
      'executeToolsInParallel-reused',
      '/api/tools/execute-multiple',
      {
        tools: [
          calculator('add', 1, 2),
          calculator('divide', 1, 0),
          user,
          calculator('add', 3, 4),
          calculator('add', 5, 6),
        ],
      },
      { fromStep: '2', overrides: { 2: { config: { args: { b: 2 } } }, 4: { result: 9 } } },
    ),
  ];
}
