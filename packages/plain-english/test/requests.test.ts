import { KNOWN_TOOLS, understand } from '../src';

const url = 'https://shop.example.org/v1/items';
type Args = Readonly<Record<string, unknown>>;

function requestsOf(query: string): unknown {
  return understand(query, KNOWN_TOOLS).steps.map(({ toolName, args }) =>
    toolName === 'api_call' ? args : toolName,
  );
}

test.each<[string, Args]>([
  [`get ${url}`, { method: 'GET' }],
  [`please fetch ${url} for me`, { method: 'GET' }],
  [`delete ${url}`, { method: 'DELETE' }],
  [`OPTIONS ${url}, please`, { method: 'OPTIONS' }],
  [`send a HEAD request to ${url}`, { method: 'HEAD' }],
  [`call ${url} using POST`, { method: 'POST' }],
  [
    `get ${url} with headers X-Shop: 7 and Accept: text/csv`,
    { method: 'GET', headers: { 'X-Shop': '7', Accept: 'text/csv' } },
  ],
  [`get ${url} with header X-Plan=gold`, { method: 'GET', headers: { 'X-Plan': 'gold' } }],
  [
    `fetch ${url} with Authorization: Bearer abc.def, thanks`,
    { method: 'GET', headers: { Authorization: 'Bearer abc.def' } },
  ],
  [`post {"a": [1]} to ${url}`, { method: 'POST', body: { a: [1] } }],
  [`send {"a":1} to ${url}`, { method: 'POST', body: { a: 1 } }],
  [`Put the JSON [1, 2] to ${url}`, { method: 'PUT', body: [1, 2] }],
  [`patch ${url} with body "hello there"`, { method: 'PATCH', body: 'hello there' }],
  [
    `POST ${url} with header X-Key: k-1 and body {"day":"Friday","dish":"fish and chips"}`,
    { method: 'POST', headers: { 'X-Key': 'k-1' }, body: { day: 'Friday', dish: 'fish and chips' } },
  ],
  [
    `post {"text":"do not wait, never stop"} to ${url}`,
    { method: 'POST', body: { text: 'do not wait, never stop' } },
  ],
  [`curl ${url}`, { method: 'GET' }],
  [`curl -sI ${url}`, { method: 'HEAD' }],
  [`curl ${url} -d a=1 -d b=2`, { method: 'POST', body: 'a=1&b=2' }],
  [
    `could you run curl -X PUT -H 'X-Till: 2' -d "{\\"a\\": 1}" ${url}`,
    { method: 'PUT', headers: { 'X-Till': '2' }, body: { a: 1 } },
  ],
])('%s', (query, args) => {
  expect(requestsOf(query)).toEqual([{ url, ...args }]);
});

test('an address without a scheme is one of https', () => {
  expect(requestsOf('GET example.com/status')).toEqual([
    { url: 'https://example.com/status', method: 'GET' },
  ]);
});

test('a clause that asks for a part of the answer is a step of its own', () => {
  expect(requestsOf(`get ${url} with header X-Till: 2 and read the price`)).toEqual([
    { url, method: 'GET', headers: { 'X-Till': '2' } },
    'json_reader',
  ]);
  expect(requestsOf(`post {"a":1} to ${url} and tell me the id`)).toEqual([
    { url, method: 'POST', body: { a: 1 } },
    'json_reader',
  ]);
});

test.each([
  `what would happen if we posted a=1 to ${url}?`,
  `should I delete ${url}?`,
  `I deleted ${url} yesterday`,
  `we will not delete ${url}`,
  `nobody should delete ${url}`,
  `do not fetch ${url}`,
  `please don't delete ${url}`,
  `Delete ${url}. Actually no, leave it.`,
  `post 5 lamps to ${url}`,
  `post the usual payload to ${url}`,
  `post hello to ${url}`,
  `post {"a":1} to ${url} and ${url}/2`,
  `can I delete ${url}?`,
  `post name=Lamp to ${url}`,
  `get ${url} with basic auth ann:pass`,
  `GET ${url} every 5 minutes`,
  `get ${url} with body {"a":1}`,
  `send ${url}`,
  `curl -u ann:pass ${url}`,
  `don't curl ${url}`,
  'get ftp://shop.example.org/items',
  `fetch ${url} and explain it`,
  `is ${url} remote?`,
  `what did the last update of ${url} say about rain?`,
])('refused: %s', (query) => {
  expect(() => requestsOf(query)).toThrow(expect.objectContaining({ code: 'QUERY_NOT_UNDERSTOOD' }));
});

test.each([
  ['call the api', 'url'],
  [`POST the data to ${url}`, 'body'],
  [`post it to ${url}`, 'body'],
])('%s names what is missing: %s', (query, missing) => {
  expect(() => requestsOf(query)).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ missing, toolName: 'api_call' }) }),
  );
});
