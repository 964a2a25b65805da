import { APIError } from 'openai';
import { createFunctionNames } from '../../../src/llm/openai/function-names';
import { Learned, type Trait } from '../../../src/llm/openai/learned';
import { findRefused } from '../../../src/llm/openai/refusals';
import { buildBody, type Wish } from '../../../src/llm/openai/request-body';
import { readUsage, showsDroppedTools } from '../../../src/llm/openai/usage';

const SCHEMA = {
  type: 'object',
  properties: {
    at: { type: ['string', 'null'], format: 'date' },
    place: { type: 'object', properties: { x: { type: 'number', minimum: 0 } }, additionalProperties: false },
    tags: { type: 'array', items: { anyOf: [{ type: 'string' }] } },
  },
  required: ['at'],
  additionalProperties: false,
};
const WISH: Wish = {
  messages: [{ role: 'user', content: 'q' }],
  offer: { functions: [{ name: 'move', description: 'Moves', parameters: SCHEMA }], choice: 'auto' },
  settings: {},
};
const refused = (message: string, status = 400): APIError =>
  new APIError(status, { message }, undefined, new Headers());

test('a schema with keywords that a server refuses is sent to it without them', () => {
  const known = new Learned().forCall('m');
  const body = () => buildBody('m', WISH, { known, limitName: 'max_tokens' });
  expect(body().tools).toMatchObject([{ function: { parameters: SCHEMA } }]);
  const words = `Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`;
  expect(findRefused(refused(words), body())).toBe('schema_keywords');
  known.suppose('schema_keywords');
  expect(body().tools).toMatchObject([
    {
      function: {
        parameters: {
          type: 'object',
          properties: {
            at: { type: 'string' },
            place: { type: 'object', properties: { x: { type: 'number' } } },
            tags: { type: 'array', items: {} },
          },
          required: ['at'],
        },
      },
    },
  ]);
  expect(JSON.stringify(body().tools)).not.toMatch(/anyOf|format|additional|minimum/);
});

test('a refusal counts only for what a request has', () => {
  const known = new Learned().forCall('m');
  const body = buildBody('m', WISH, { known, limitName: 'max_tokens' });
  expect(findRefused(refused("'temperature' is not supported"), body)).toBeUndefined();
  expect(findRefused(refused('it does not support tools'), body)).toBe('tools');
  expect(findRefused(refused('it does not support tools', 503), body)).toBeUndefined();
});

test.each([
  [500, 'the tool runner had an unexpected end of input', undefined],
  [500, 'this server does not support tools', undefined],
  [501, 'unexpected error in the system', undefined],
  [500, 'content of the system is unavailable', undefined],
  [500, "'temperature' is not supported", undefined],
  [400, 'unexpected end of input in a tool call', undefined],
  [500, 'tools param requires --jinja flag', 'tools'],
  [500, 'System message must be at the beginning.', 'system'],
  [500, 'Conversation roles must alternate user/assistant', 'tool_messages'],
  [500, "Invalid 'content': expected a string, got null", 'null_content'],
] as const)('of %i "%s" the refused part is %s', (status, words, feature) => {
  const messages: Wish['messages'] = [
    { role: 'system', content: 's' },
    { role: 'user', content: 'q' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'move', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: '1' },
  ];
  const wish = { ...WISH, messages, settings: { temperature: 0 } };
  const known = new Learned().forCall('m');
  const body = buildBody('m', wish, { known, limitName: 'max_tokens' });
  expect(findRefused(refused(words, status), body)).toBe(feature);
});

test('what is supposed is remembered for the model once it is confirmed', () => {
  const learned = new Learned();
  const call = learned.forCall('m');
  call.suppose('tools');
  expect([call.has('tools'), learned.forCall('m').has('tools')]).toEqual([true, false]);
  call.confirm();
  expect([learned.forCall('m').has('tools'), learned.forCall('n').has('tools')]).toEqual([true, false]);
});

test('what is dropped is not confirmed later', () => {
  const learned = new Learned();
  const call = learned.forCall('m');
  call.suppose('tools');
  call.drop();
  expect(call.has('tools')).toBe(false);
  call.suppose('system');
  call.confirm();
  expect([call.has('tools'), call.has('system')]).toEqual([false, true]);
});

test('a trait is believed for an hour after it was last confirmed', () => {
  let now = 0;
  const learned = new Learned({ now: () => now });
  const call = learned.forCall('m');
  const confirm = (trait: Trait): void => {
    call.suppose(trait);
    call.confirm();
  };
  confirm('tools');
  confirm('opens_in_thoughts');
  now = 3_599_999;
  confirm('opens_in_thoughts');
  expect([call.has('tools'), call.has('opens_in_thoughts')]).toEqual([true, true]);
  now = 3_600_000;
  expect([call.has('tools'), call.has('opens_in_thoughts')]).toEqual([false, true]);
});

test('models are remembered up to a number, the latest ones', () => {
  const learned = new Learned();
  for (let at = 0; at <= 500; at += 1) {
    const call = learned.forCall(`m${at}`);
    call.suppose('system');
    call.confirm();
  }
  expect([0, 1, 500].map((at) => learned.forCall(`m${at}`).has('system'))).toEqual([false, true, true]);
});

test('a name with more around it is a tool only where one fits', () => {
  const names = createFunctionNames(['read', 'files.read', 'list']);
  expect(names.toolOf('functions.list')).toBe('list');
  expect(names.toolOf('x/list<|channel|>json')).toBe('list');
  // Both "files.read" and "read" fit.
  expect(names.toolOf('functions.files.read')).toBeUndefined();
  expect(names.toolOf('relist')).toBeUndefined();
  expect(names.toolOf('my_list')).toBeUndefined();
});

test.each([
  ['none of the tools', 40, true],
  ['all of them', 700, false],
  ['fewer than the service counts', 500, false],
  ['not even the messages', 10, false],
])('a count with %s', (_name, promptTokens, isDropped) => {
  const usage = { promptTokens, completionTokens: 1, totalTokens: promptTokens + 1 };
  const messages = [{ role: 'user', content: 'word '.repeat(40) }] as const;
  expect(showsDroppedTools(usage, messages, [{ description: 'word '.repeat(800) }])).toBe(isDropped);
});

test('tokens that were thought are a part of the answer', () => {
  const raw = { prompt_tokens: 9, completion_tokens: 8, completion_tokens_details: { reasoning_tokens: 6 } };
  expect(readUsage(raw)).toMatchObject({ completionTokens: 8, reasoningTokens: 6, totalTokens: 17 });
});
