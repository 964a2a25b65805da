import { APIError } from 'openai';
import { createFunctionNames } from '../../../src/llm/openai/function-names';
import { Learned } from '../../../src/llm/openai/learned';
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

test('what is supposed is remembered for the model once it is confirmed', () => {
  const learned = new Learned();
  const call = learned.forCall('m');
  call.suppose('tools');
  expect([call.has('tools'), learned.forCall('m').has('tools')]).toEqual([true, false]);
  call.confirm();
  expect([learned.forCall('m').has('tools'), learned.forCall('n').has('tools')]).toEqual([true, false]);
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
