import { customBody, fetchStep, type RequestedStep, sumStep, toolStep } from '../support/workflow-steps';
import type { Scenario } from './scenario';

const ANY_ORDER = { dependsOn: [] };
const MUCH_WORK = [
  ...Array.from({ length: 160 }, () => '{{input.a}} contains 2'),
  '{{input.a[8000]}} == 3',
].join('||');

/** Each scenario takes one path through `customWorkflow`. */
export function customScenarios(peerUrl: string): Scenario[] {
  const user = (id: string, more: object = {}): RequestedStep =>
    fetchStep(id, `${peerUrl}/user`, {}, { ...more });
  const never = (id: string, more: object = {}): RequestedStep =>
    fetchStep(id, `${peerUrl}/never`, {}, { ...more });
  const broken = (id: string, more: object = {}): RequestedStep =>
    toolStep(id, 'calculator', { operation: 'divide', a: 1, b: 0 }, { ...more });
  const custom = (name: string, steps: readonly RequestedStep[], inputs = {}): Scenario => ({
    name: `customWorkflow-${name}`,
    path: '/api/workflow/execute-custom',
    body: customBody(steps, inputs),
  });
  return [
    custom(
      'sequence',
      [
        sumStep('sum', '{{input.start}}', 2),
        user('fetch', { retry: { maximumAttempts: 2, initialInterval: 10 } }),
        sumStep('more', '{{fetch.result.data.items[0].id}}', '{{sum.result}}'),
        fetchStep('send', `${peerUrl}/send`, {
          method: 'post',
          params: { n: ['{{more.result}}', 1] },
          body: { name: '{{fetch.result.data.name}}', previous: '{{previous_result}}' },
        }),
        toolStep('read', 'json_reader', { jsonString: '{{send.result.data}}', path: '$.name' }),
      ],
      { start: 1 },
    ),
    custom('named-steps', [
      sumStep('one', 1, 2),
      sumStep('two', '{{item}}', 1, { forEach: { items: [1, 2] } }),
      user('three'),
      broken('four', { continueOnError: true }),
      { id: 'five', type: 'llm_call', config: { prompt: 'What is 2 plus 3?' }, ...ANY_ORDER },
    ]),
    custom('for-each', [
      sumStep('light', '{{item}}', '{{index}}', { forEach: { items: [1, 2, 3, 4, 5], concurrency: 2 } }),
      fetchStep(
        'regular',
        `${peerUrl}/{{item}}`,
        {},
        { forEach: { items: '{{light.result}}', concurrency: 3 } },
      ),
      sumStep('last', '{{regular.result[4].status}}', 1),
    ]),
    custom('light-side-by-side', [
      broken('broken', { continueOnError: true, ...ANY_ORDER }),
      user('one', { dependsOn: ['broken'] }),
      sumStep('each', '{{item}}', 1, { forEach: { items: [1, 2, 3, 4, 5], concurrency: 4 }, ...ANY_ORDER }),
      user('two', { dependsOn: ['each'] }),
    ]),
    custom('for-each-settled', [
      user('before'),
      // The list is known only in the run, so an item that lacks what is named fails there.
      sumStep('each', '{{item.id}}', 1, {
        continueOnError: true,
        forEach: { items: '{{before.result.data.items}}' },
        dependsOn: ['before'],
      }),
      sumStep('mixed', '{{item}}', 1, {
        continueOnError: true,
        forEach: { items: [1, 'x', 4] },
      }),
      user('after'),
    ]),
    custom('for-each-failed', [
      fetchStep(
        'each',
        `${peerUrl}{{item.path}}`,
        {},
        {
          forEach: { items: [{ path: '/never' }, { path: '/user' }, { none: 1 }], concurrency: 2 },
        },
      ),
    ]),
    custom('continued', [
      broken('light', { continueOnError: true }),
      never('regular', { timeout: 300, continueOnError: true }),
      sumStep('after', 1, 2, { when: '{{light.error.code}} != null' }),
    ]),
    custom('failed-beside-others', [
      never('held'),
      user('fetch', ANY_ORDER),
      sumStep('broken', '{{fetch.result.data.age}}', 1, ANY_ORDER),
      sumStep('waiting', 1, 2, { dependsOn: ['held'] }),
    ]),
    // Each condition is as much work as one workflow task may do.
    custom(
      'paced',
      [
        sumStep('one', 1, 2, { when: MUCH_WORK, ...ANY_ORDER }),
        user('two', { when: MUCH_WORK, ...ANY_ORDER }),
        user('three', ANY_ORDER),
      ],
      { a: [...Array.from({ length: 8_000 }, () => 1), 3] },
    ),
    custom(
      'shared-steps',
      [
        sumStep('one', '{{input.start}}', 2),
        sumStep('two', '{{one.result}}', 1, { when: '{{one.result}} > 10' }),
        broken('three', { continueOnError: true }),
        sumStep('four', '{{one.result}}', 1, { when: '{{three.status}} == "failed"' }),
        sumStep('five', '{{previous_result}}', '{{four.result}}'),
        user('fetch'),
        sumStep('six', '{{fetch.result.data.items[0].id}}', '{{five.result}}'),
        sumStep('seven', '{{six.result}}', '{{five.result}}'),
      ],
      { start: 1 },
    ),
    {
      ...custom('approved-step', [
        sumStep('asked', 1, 2, { approval: true }),
        user('beside', ANY_ORDER),
        sumStep('last', '{{asked.result}}', 1, { dependsOn: ['asked', 'beside'] }),
      ]),
      approval: {
        name: 'approval-step',
        answer: { decision: 'approve', args: { operation: 'add', a: 5, b: 6 } },
      },
    },
    {
      ...custom(
        'approved-message',
        [
          user('fetch'),
          sumStep('asked', '{{input.start}}', '{{fetch.result.data.items[0].id}}', {
            approval: { message: 'Add {{fetch.result.data.items[0].id}} to {{input.start}}?' },
          }),
          sumStep('last', '{{asked.result}}', 1),
        ],
        { start: 1 },
      ),
      approval: { name: 'approval-message', answer: { decision: 'approve', by: 'ada' } },
    },
    custom('mistakes-end-run', mistakes(user('after'))),
  ];
}

/** Steps that fail because of a mistake, or of a `null` in the place of a text, each with `continueOnError`. */
function mistakes(after: RequestedStep): RequestedStep[] {
  const reader = (id: string, jsonString: string, path: string, more = {}): RequestedStep =>
    toolStep(id, 'json_reader', { jsonString, path }, { timeout: 5_000, continueOnError: true, ...more });
  return [
    reader('none', '{"a":null}', '$.a'),
    reader('read', '[]', '{{none.result.result}}'),
    { id: 'ask', type: 'llm_call', continueOnError: true, config: { prompt: '{{none.result.result}}' } },
    sumStep('sum', 1, 1),
    sumStep('compared', 1, 1, { when: '{{sum.result}} > "1"', continueOnError: true }),
    after,
  ];
}
