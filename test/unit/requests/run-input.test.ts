import { toRunInput } from '../../../requests/answers/run-input';
import { createRedactor } from '../../../src/secrets/redactor';

const redactor = createRedactor(['X-Account-Number']);
const custom = (config: object, more: object = {}) => ({
  name: 'w',
  inputs: { plain: 'a', other: 'b', list: ['c'] },
  steps: [{ step: { id: 's', type: 'api_call', config, ...more }, execution: {}, waitsFor: [] }],
});
const inputsOf = (input: object): unknown =>
  (toRunInput('customWorkflow', input, redactor) as { inputs: unknown }).inputs;

test.each<[string, object, object, object]>([
  ['by its name', { headers: { 'X-Api-Key': '{{plain}}' } }, {}, { plain: '[hidden]' }],
  [
    'as a part of inputs',
    { headers: { 'x-account-number': 'n {{input.plain}}' } },
    {},
    { plain: '[hidden]' },
  ],
  [
    'as an item',
    { body: { password: ['{{item}}'] } },
    { forEach: { items: '{{list}}', concurrency: 1 } },
    { list: '[hidden]' },
  ],
  ['in the query of a URL', { url: 'http://peer/?api_key={{input.plain}}' }, {}, { plain: '[hidden]' }],
  ['in a text of JSON', { body: '{"n":1,"token":"{{ plain }}"}' }, {}, { plain: '[hidden]' }],
  [
    'with others, before the host of a URL',
    { url: 'http://{{plain}}:{{other}}@peer/' },
    {},
    { plain: '[hidden]', other: '[hidden]' },
  ],
  [
    'in a text, as an item',
    { url: 'http://peer/?api_key={{item}}' },
    { forEach: { items: '{{list}}', concurrency: 1 } },
    { list: '[hidden]' },
  ],
  [
    'in a text that is an item',
    { url: '{{item}}' },
    { forEach: { items: ['http://peer/?api_key={{plain}}'], concurrency: 1 } },
    { plain: '[hidden]' },
  ],
  ['in a text without credentials', { url: 'http://peer/?page={{plain}}' }, {}, {}],
  ['in no credential', { url: '{{plain}}', body: { note: '{{list}}' } }, {}, {}],
])('an input that a template names %s is hidden if it becomes a credential', (_, config, more, hidden) => {
  const input = custom(config, more);
  expect(inputsOf(input)).toEqual({ ...input.inputs, ...hidden });
});

test('a run shows what was asked, and not what the service added for it', () => {
  const call = { toolName: 't', args: { a: 1 }, implementation: { kind: 'source', source: '() => 1' } };
  expect(toRunInput('executeTool', { call, limits: {} }, redactor)).toEqual({
    toolName: 't',
    args: { a: 1 },
  });
  expect(toRunInput('executeToolsInSequence', { calls: [call] }, redactor)).toEqual({
    tools: [{ toolName: 't', args: { a: 1 } }],
  });
});

test('a run without a question, or of another form, has none', () => {
  expect(toRunInput('eraseUserMemories', { erasureId: 'e' }, redactor)).toBeUndefined();
  expect(toRunInput('executeTool', { tool: 'of an earlier build' }, redactor)).toBeUndefined();
});
