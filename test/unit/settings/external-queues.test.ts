import { loadConfig } from '../../../src/settings/config';
import { queuesOf } from '../../../src/settings/external-queues';

const load = (EXTERNAL_QUEUES: string) => loadConfig({ TASK_QUEUE: 'own', EXTERNAL_QUEUES }).EXTERNAL_QUEUES;

test('names queues for the default tenant, and for others', () => {
  const queues = load('orders, mail@acme, orders@acme');
  expect(queuesOf(queues, 'default')).toEqual(['orders']);
  expect(queuesOf(queues, 'acme')).toEqual(['mail', 'orders']);
  expect(load('')).toEqual([]);
});

test.each([
  ['own', /"own" is a task queue of this service/],
  ['orders, own-io@acme', /"own-io" is a task queue of this service/],
  ['orders@', /"" is not the name of a tenant/],
  ['orders@A b', /is not the name of a tenant/],
])('refuses %s', (entries, problem) => {
  expect(() => load(entries)).toThrow(problem);
});
