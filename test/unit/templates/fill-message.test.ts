import fc from 'fast-check';
import { createNameTest } from '../../../src/contracts/credential-names';
import { fillMessage } from '../../../src/templates/fill-message';
import { workflowReference, type WorkflowValues } from '../../../src/templates/workflow-scope';

const VALUES: WorkflowValues = {
  inputs: {
    amount: 49.9,
    note: 'for\nAda',
    lines: { note: 'for\nAda' },
    order: { id: 7, card: { password: 'hunter22', pin: 1 } },
    apiKey: 'an-input-key',
    plain: 'the same secret',
    header: 'Bearer the same secret',
    account: 'DE0012',
    long: 'x'.repeat(5_000),
    rows: Array.from({ length: 500 }, (_, row) => row),
    nothing: null,
  },
  outcomes: {
    login: { status: 'completed', result: { token: 'a-result-token', user: 'ada' }, executionTime: 1 },
  },
  previous: 'login',
  item: { value: { sku: 'a' }, index: 4 },
};
const fill = (message: string, { args = {}, names = [] as string[] } = {}): string =>
  fillMessage(message, (expression) => workflowReference(expression, VALUES), {
    isCredential: createNameTest(names),
    args,
  });

test.each([
  ['No template, and { single } braces', 'No template, and { single } braces'],
  ['Refund {{amount}} EUR for {{input.note}}?', 'Refund 49.9 EUR for for\nAda?'],
  ['{{login.result.user}} {{item.sku}}{{index}} {{previous_result.user}}', 'ada a4 ada'],
  ['{{nothing}} {{order.id}}', 'null 7'],
  ['{{login.status}}', 'completed'],
])('%s', (message, filled) => {
  expect(fill(message)).toBe(filled);
});

test('a value that is absent is named, and fails nothing', () => {
  expect(fill('Pay {{login.result.amount}} to {{ nobody }}?')).toBe(
    'Pay (not available: login.result.amount) to (not available: nobody)?',
  );
});

test.each([
  ['by the name of an input', '{{apiKey}}', '[hidden]'],
  ['by the name of a part', '{{login.result.token}}', '[hidden]'],
  ['in an object', '{{order}}', '{"id":7,"card":{"password":"[hidden]","pin":1}}'],
  ['below a name', '{{order.card.password.length}}', '[hidden]'],
])('a credential is hidden %s', (_how, message, filled) => {
  expect(fill(message)).toBe(filled);
});

test('a name of the settings hides too', () => {
  expect([fill('{{account}}'), fill('{{account}}', { names: ['Account'] })]).toEqual(['DE0012', '[hidden]']);
});

test.each([
  ['a number', '{{amount}}', { password: 49.9 }],
  ['a short text', '{{login.result.user}}', { password: 'ada' }],
  ['a text that JSON escapes', '{{lines}}', { privateKey: 'for\nAda' }],
])('a credential of the arguments is hidden: %s', (_what, message, args) => {
  expect(fill(message, { args })).toBe(message === '{{lines}}' ? '{"note":"[hidden]"}' : '[hidden]');
});

test('a credential of the arguments is hidden wherever it comes from', () => {
  const args = { headers: { Authorization: 'Bearer the same secret', 'X-Shown': 'for\nAda' } };
  expect(fill('With {{plain}}, {{header}}, {{note}}', { args })).toBe('With [hidden], [hidden], for\nAda');
});

test('a long value is cut or left out, and says so, and so is a long question', () => {
  expect(fill('{{long}}!')).toBe(`${'x'.repeat(999)}…!`);
  expect(fill('{{rows}}!')).toBe('(too long to be shown here)!');
  expect(fill('{{long}}'.repeat(100))).toHaveLength(4_000);
});

test('a credential that is cut shows no part of itself', () => {
  const args = { token: VALUES.inputs['long'] };
  expect(fill('{{long}}', { args })).toBe('[hidden]');
});

test('no message fails, and none is longer than its bound', () => {
  const part = fc.constantFrom(
    '{{',
    '}}',
    'amount',
    ' ',
    '.',
    'login',
    'result',
    '[0]',
    'x',
    '{{long}}',
    '{{order}}',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const message = parts.join('').slice(0, 1_000);
      expect(fill(message).length).toBeLessThanOrEqual(4_000);
    }),
  );
});
