import { KNOWN_TOOLS, understand } from '../src';

const url = 'https://shop.example.org/v1/items';
type Args = Readonly<Record<string, unknown>>;

function request(query: string): unknown {
  const { steps } = understand(query, KNOWN_TOOLS);
  return steps.map(({ toolName, args }) => (toolName === 'api_call' ? args : toolName));
}

test.each<[string, Args]>([
  [`erase ${url}/5`, { method: 'DELETE' }],
  [`get rid of ${url}/5`, { method: 'DELETE' }],
  [`delete the post at ${url}/5`, { method: 'DELETE' }],
  [`retreive ${url}/5`, { method: 'GET' }],
  [`OPTIONS for ${url}/5, please`, { method: 'OPTIONS' }],
  [`is ${url}/5 reachable?`, { method: 'GET' }],
  [`just the headers of ${url}/5`, { method: 'HEAD' }],
  [`ask for the head of ${url}/5`, { method: 'HEAD' }],
  [`The page is "${url}/5". Please open it.`, { method: 'GET' }],
])('method: %s', (query, args) => {
  expect(request(query)).toEqual([{ url: `${url}/5`, ...args }]);
});

test.each<[string, Args]>([
  [`get ${url} with X-Shop: 7 and Accept: text/csv`, { 'X-Shop': '7', Accept: 'text/csv' }],
  [`get ${url} with the X-Shop header set to 7 and X-Till 2 as a header`, { 'X-Shop': '7', 'X-Till': '2' }],
  [`use gold for the X-Plan header and get ${url}`, { 'X-Plan': 'gold' }],
  [`headers: shop = 7, till = 2\nfetch ${url}`, { shop: '7', till: '2' }],
  [`get ${url} with these headers: {"X-Shop": 7}`, { 'X-Shop': '7' }],
  [`get ${url}, include the header "X-Shop: 7"`, { 'X-Shop': '7' }],
  [`get ${url} using my bearer token a.b-c`, { Authorization: 'Bearer a.b-c' }],
  [`fetch ${url}. The Authorization header must be Bearer abc.`, { Authorization: 'Bearer abc' }],
  [`get ${url}\nUser-Agent: till 2 (test)`, { 'User-Agent': 'till 2 (test)' }],
])('headers: %s', (query, headers) => {
  expect(request(query)).toEqual([{ url, method: 'GET', headers }]);
});

test.each<[string, unknown]>([
  [
    `add a lamp at ${url}: colour is green, price is 12.5, sold is false`,
    { colour: 'green', price: 12.5, sold: false },
  ],
  [`post name=Lamp price=-3 to ${url}`, { name: 'Lamp', price: -3 }],
  [`POST ${url}, name "Big lamp", price 30`, { name: 'Big lamp', price: 30 }],
  [`post to ${url}\n- name: Desk lamp\n- code: 007`, { name: 'Desk lamp', code: '007' }],
  [
    `post to ${url} with callback set to https://till.example.org/in`,
    { callback: 'https://till.example.org/in' },
  ],
  [`post {"a": [1]} to ${url}`, { a: [1] }],
  [`POST ${url} / colour = green / sold = true`, { colour: 'green', sold: true }],
  [`POST to ${url}. Colour is green, price is 5`, { colour: 'green', price: 5 }],
  [`post to ${url} colour "green" price 4200 stock 7`, { colour: 'green', price: 4200, stock: 7 }],
  [`POST to ${url}, price 4, value 203.0.113.7`, { price: 4, value: '203.0.113.7' }],
  [`post "no lamps" to ${url} as the body`, 'no lamps'],
  [`post the words "no lamps" to ${url}`, 'no lamps'],
  [`post to ${url}, the body is just the number 7`, 7],
  [`here is the JSON: [1, 2]. Please post it to ${url}`, [1, 2]],
])('body: %s', (query, body) => {
  expect(request(query)).toEqual([{ url, method: 'POST', body }]);
});

test.each<[string, Args]>([
  [
    `set price to 14 and name to Desk Lamp on ${url}`,
    { method: 'PATCH', body: { price: 14, name: 'Desk Lamp' } },
  ],
  [`put ${url}, nothing in the body`, { method: 'PUT' }],
  [`set the price at ${url} to 15`, { method: 'PATCH', body: { price: 15 } }],
  [`change the price at ${url} to 15, so PATCH it with price = 15`, { method: 'PATCH', body: { price: 15 } }],
  [`Replace the one at ${url}: [7]`, { method: 'PUT', body: [7] }],
  [
    `post to ${url} with Content-Type: application/x-www-form-urlencoded and body colour=green&size=L`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'colour=green&size=L',
    },
  ],
  [
    `With X-Till 2 as header, post name = Lamp to ${url}. Use bearer token abc.`,
    { method: 'POST', headers: { 'X-Till': '2', Authorization: 'Bearer abc' }, body: { name: 'Lamp' } },
  ],
  [
    `curl -X PUT -H 'X-Till: 2' -d "{\\"a\\": 1}" ${url}`,
    { method: 'PUT', headers: { 'X-Till': '2' }, body: { a: 1 } },
  ],
  [`curl -sI ${url}`, { method: 'HEAD' }],
  [`curl ${url} -d a=1 -d b=2`, { method: 'POST', body: 'a=1&b=2' }],
])('request: %s', (query, args) => {
  expect(request(query)).toEqual([{ url, ...args }]);
});

test.each([
  `what would happen if we posted a=1 to ${url}?`,
  `should I delete ${url}?`,
  `I deleted ${url} yesterday`,
  `we will delete ${url}`,
  `nobody should delete ${url}`,
  `Delete ${url}. Actually no, leave it.`,
  `post 5 lamps to ${url}`,
  `post title = Salt and pepper to ${url}`,
  `post {name: "Lamp"} to ${url}`,
  `get ${url} with basic auth ann:pass`,
  `curl -u ann:pass ${url}`,
  'get ftp://shop.example.org/items',
])('refused: %s', (query) => {
  expect(() => request(query)).toThrow(expect.objectContaining({ code: 'QUERY_NOT_UNDERSTOOD' }));
});

test('a clause that asks for a part of the answer stays a step of its own', () => {
  const headers = { 'X-Till': '2' };
  expect(request(`get ${url} with header X-Till: 2 and tell me the price`)).toEqual([
    { url, method: 'GET', headers },
    'json_reader',
  ]);
  expect(request(`post {"a":1} to ${url} and tell me the id`)).toEqual([
    { url, method: 'POST', body: { a: 1 } },
    'json_reader',
  ]);
});
