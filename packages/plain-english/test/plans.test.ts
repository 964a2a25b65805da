import type { ToolDescription } from '../src/types';
import { understand } from '../src';
import { KNOWN_TOOLS } from '../src/known-tools';

/** Tools unlike those of the development sentences: the rules know none of them. */
const tools: readonly ToolDescription[] = [
  ...KNOWN_TOOLS,
  tool('send_sms', 'Sends a text message to a phone number', {
    phone: ['string', 'Phone number of the recipient'],
    message: ['string', 'The message'],
  }),
  tool('create_event', 'Creates a calendar event', {
    title: ['string', 'Title of the event'],
    date: ['string', 'Date of the event'],
    'time?': ['string', 'Start time'],
    'location?': ['string', 'Where it takes place'],
  }),
  tool('get_order_status', 'Looks up the status of an order', { order_id: ['string', 'Id of the order'] }),
  tool('set_light', 'Turns a light on or off', {
    room: ['string', 'Room the light is in'],
    on: ['boolean', 'True to turn it on'],
    'brightness?': ['integer', 'Brightness in percent'],
  }),
  tool('shorten_url', 'Makes a short link for a web address', {
    url: ['string', 'The address to shorten'],
    'alias?': ['string', 'Custom alias'],
  }),
  tool('update_task_status', 'Changes the status of a task', {
    task_id: ['string', 'Task id'],
    status: ['string', 'New status', ['todo', 'in_progress', 'done']],
  }),
  tool('roll_dice', 'Rolls dice', { sides: ['integer', 'Number of sides'] }),
];

type Entry = readonly [type: 'string' | 'integer' | 'boolean', description: string, choices?: string[]];

function tool(name: string, description: string, entries: Readonly<Record<string, Entry>>): ToolDescription {
  const parameters = Object.entries(entries).map(([key, [type, about, choices]]) => [
    key.replace('?', ''),
    { type, description: about, required: !key.endsWith('?'), ...(choices ? { enum: choices } : {}) },
  ]);
  return { name, description, parameters: Object.fromEntries(parameters) };
}

function plan(query: string): unknown[] {
  return understand(query, tools).steps.map(({ toolName, args }) => [toolName, args]);
}

test.each<[string, string, Record<string, unknown>]>([
  [
    "text +15551234567 saying I'm running late",
    'send_sms',
    { phone: '+15551234567', message: "I'm running late" },
  ],
  [
    'create an event called Team lunch on 2025-05-01 at 12:30 in the canteen',
    'create_event',
    { title: 'Team lunch', date: '2025-05-01', time: '12:30', location: 'canteen' },
  ],
  ['where is my order ORD-1234?', 'get_order_status', { order_id: 'ORD-1234' }],
  ['switch off the bedroom light', 'set_light', { room: 'bedroom', on: false }],
  [
    'turn the living room light on at 40% brightness',
    'set_light',
    { room: 'living room', on: true, brightness: 40 },
  ],
  ['shorten https://example.com/long', 'shorten_url', { url: 'https://example.com/long' }],
  [
    'set the status of task 42 to in progress',
    'update_task_status',
    { task_id: '42', status: 'in_progress' },
  ],
  ['roll a dice with 20 sides', 'roll_dice', { sides: 20 }],
])('registered: %s', (query, name, args) => {
  expect(plan(query)).toEqual([[name, args]]);
});

const api = 'https://api.example.com/a';

test.each<[string, Record<string, unknown>]>([
  [`do a PUT on ${api} with the json body {"x":1}`, { url: api, method: 'PUT', body: { x: 1 } }],
  [`call the endpoint ${api} using POST`, { url: api, method: 'POST' }],
  [`remove ${api}`, { url: api, method: 'DELETE' }],
  [
    `call ${api} with a bearer token abc123`,
    { url: api, method: 'GET', headers: { Authorization: 'Bearer abc123' } },
  ],
  [
    `make a request to ${api} with headers {"X-A":"1","Accept":"text/plain"}`,
    { url: api, method: 'GET', headers: { 'X-A': '1', Accept: 'text/plain' } },
  ],
  ['ping http://127.0.0.1:3000/health!', { url: 'http://127.0.0.1:3000/health', method: 'GET' }],
])('http: %s', (query, args) => {
  expect(plan(query)).toEqual([['api_call', args]]);
});

test.each([
  ['show me the name of the second user in', '{"users":[{"name":"A"},{"name":"B"}]}', '$.users[1].name'],
  ['get the last element of a from', '{"a":[1,2,3]}', '$.a[-1]'],
  ['all the prices in', '{"items":[{"price":1},{"price":2}]}', '$.items[*].price'],
  ["what's the first name in", '{"firstName":"Al"}', '$.firstName'],
  ["get the user's email from", '{"user":{"mail":"a","email":"b"}}', '$.user.email'],
  ['get the city of the address in', '{"user":{"address":{"city":"Rome"}}}', '$.user.address.city'],
  ['read the adress in', '{"customer_address":"x","address":"y"}', '$.address'],
])('json: %s %s', (query, json, path) => {
  expect(plan(`${query} ${json}`)).toEqual([['json_reader', { jsonString: json, path }]]);
});

test.each([
  ['{"a":{"x":1},"b":{"x":2}} what is x', 'path'],
  ['temperature outside', 'location'],
  ['open the file', 'path'],
  ['call the api', 'url'],
  ['roll a dice', 'sides'],
  ['buy me a car', undefined],
  ['what is the capital of France', undefined],
  ['weather in London tomorrow', undefined],
  [`fetch ${api} then order me a pizza`, undefined],
])('refused: %s, missing %s', (query, missing) => {
  expect(() => understand(query, tools)).toThrow(expect.objectContaining({ code: 'QUERY_NOT_UNDERSTOOD' }));
  try {
    understand(query, tools);
  } catch (error) {
    expect((error as { details: { missing?: string } }).details.missing).toBe(missing);
  }
});

test('steps feed one another', () => {
  expect(plan(`fetch ${api} and multiply the total by 3`)).toEqual([
    ['api_call', { url: api, method: 'GET' }],
    ['json_reader', { jsonString: '{{1.data}}', path: '$.total' }],
    ['calculator', { operation: 'multiply', a: '{{2}}', b: 3 }],
  ]);
  expect(plan("what's the weather in Paris and multiply the temperature by 2")).toEqual([
    ['weather', { location: 'Paris' }],
    ['calculator', { operation: 'multiply', a: '{{1.temperature}}', b: 2 }],
  ]);
  expect(plan('multiply 3 by 4 and roll a dice with that many sides')).toEqual([
    ['calculator', { operation: 'multiply', a: 3, b: 4 }],
    ['roll_dice', { sides: '{{1}}' }],
  ]);
});
