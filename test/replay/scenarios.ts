import { apiCall, calculator } from '../support/calls';
import { customScenarios } from './custom-scenarios';
import type { Scenario } from './scenario';

/** All scenarios, each of one path through a workflow. */
export function scenarios(peerUrl: string): Scenario[] {
  const user = apiCall(`${peerUrl}/user`);
  const never = apiCall(`${peerUrl}/never`);
  const single = (name: string, body: unknown): Scenario => ({
    name: `executeTool-${name}`,
    path: '/api/tools/execute',
    body,
  });
  const parallel = (name: string, ...tools: unknown[]): Scenario => ({
    name: `executeToolsInParallel-${name}`,
    path: '/api/tools/execute-multiple',
    body: { tools },
  });
  const sequence = (name: string, ...tools: unknown[]): Scenario => ({
    name: `executeToolsInSequence-${name}`,
    path: '/api/tools/execute-sequential',
    body: { tools },
  });
  return [
    single('light-success', calculator('multiply', 6, 7)),
    single('light-failure', calculator('divide', 1, 0)),
    single('regular-success', user),
    single('regular-retried', apiCall(`${peerUrl}/flaky`)),
    single('regular-timeout', { ...never, options: { timeout: 500 } }),
    { ...single('frozen-worker', { ...never, options: { timeout: 1_000 } }), freezeMs: 2_500 },
    {
      ...single('approved', { ...user, options: { approval: { tools: 'all' } } }),
      approval: { answer: { decision: 'approve', args: user.args, by: 'ada' } },
    },
    parallel('success', calculator('add', 1, 2), user, calculator('add', 3, 4)),
    parallel('partial-failure', calculator('add', 1, 2), calculator('divide', 1, 0), user),
    parallel('all-failed', calculator('divide', 1, 0), calculator('divide', 2, 0)),
    sequence('failed-step', calculator('add', 1, 1), calculator('divide', '{{previous_result}}', 0), user),
    sequence('missing-reference', user, calculator('add', '{{previous_result.data.age}}', 1)),
    sequence(
      'shared-step',
      calculator('add', 1, 2),
      calculator('multiply', '{{previous_result}}', 2),
      user,
      calculator('add', '{{previous_result.data.items[0].id}}', 1),
      calculator('multiply', '{{previous_result}}', 2),
    ),
    sequence(
      'failed-in-shared-step',
      calculator('add', 1, 1),
      calculator('divide', '{{previous_result}}', 0),
      calculator('add', 1, 1),
    ),
    sequence(
      'named-steps',
      calculator('add', 1, 2),
      calculator('multiply', '{{previous_result}}', 2),
      user,
      calculator('add', '{{previous_result.data.items[0].id}}', 1),
      calculator('multiply', '{{previous_result}}', 2),
    ),
    ...customScenarios(peerUrl),
  ];
}
