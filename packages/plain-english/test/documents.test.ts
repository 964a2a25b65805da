import { KNOWN_TOOLS, understand } from '../src';
import { runPlan } from './support/plan-runs';

const ADDRESS = 'https://api.test.org/document';
const shop = {
  store: { name: 'Corner', city: 'Lund' },
  products: [
    { id: 11, title: 'Red kettle', price: 30, tags: ['a', 'b'] },
    { id: 12, title: 'Blue lamp', price: 45.5, tags: [] },
    { id: 13, title: 'Pan', price: 20, tags: ['c'] },
  ],
};
const order = {
  orderNumber: 'A17',
  customer: { name: 'Bo', homeCity: 'Ulm' },
  lines: [
    { sku: 'A', qty: 2, unitPrice: 10 },
    { sku: 'B', qty: 1, unitPrice: 25.5 },
  ],
  total: 45.5,
  count: 3,
  paid: false,
};
const flight = { departure: { city: 'Bonn', gate: 'A1' }, arrival: { city: 'Rome', gate: 'C3' }, seats: 180 };

/** `@` is the document itself, or its address. */
test.each<[string, unknown, unknown]>([
  ['what is the order number in @', order, 'A17'],
  ['get the total from @', order, 45.5],
  ['what is the home city of the customer in @', order, 'Ulm'],
  ["get the customer's name from @", order, 'Bo'],
  ['read the city of arrival in @', flight, 'Rome'],
  ['get the arrival gate from @', flight, 'C3'],
  ['get the unit price of the second line in @', order, 25.5],
  ['show me the title of the last product in @', shop, 'Pan'],
  ['get the tags of the first product in @', shop, ['a', 'b']],
  ['list all titles from @', shop, ['Red kettle', 'Blue lamp', 'Pan']],
  ['get the prices of the products in @', shop, [30, 45.5, 20]],
  ['How many products are in @?', shop, 3],
  ['how many seats are in @', flight, 180],
  ['read $.products[1].price in @', shop, 45.5],
  ['get store.city from @', shop, 'Lund'],
])('%s', (question, document, answer) => {
  const text = JSON.stringify(document);
  expect(runPlan(question.replace('@', text), KNOWN_TOOLS)).toEqual({ value: answer });
  const fetched = `fetch ${ADDRESS} and ${question.replace(/ (?:from|in) @/, '')}`;
  expect(runPlan(fetched, KNOWN_TOOLS, { [ADDRESS]: document })).toEqual({ value: answer });
});

test.each<[string, unknown, RegExp]>([
  ['get the price in @', shop, /"price" is in the document 3 times/],
  ['what is the weight of the first product in @', shop, /no "weight"/],
  ['get the sku of the fifth line in @', order, /no item like/],
  ["what's the gate in @", flight, /which one is not said|is meant is not clear/],
  ['sort the products by price in @', shop, /./],
  ['get the total and count from @', order, /./],
  ['which product is cheapest in @', shop, /./],
  ['the total in @ times 2', order, /./],
  ['explain why the total is low in @', order, /./],
])('refused: %s', (question, document, message) => {
  expect(runPlan(question.replace('@', JSON.stringify(document)), KNOWN_TOOLS)).toEqual({
    refused: expect.stringMatching(message),
  });
});

test('a part that is named before an address is read from the response', () => {
  const documents = { [ADDRESS]: { score: 3, level: { name: 'hard' } } };
  expect(runPlan(`get the score from ${ADDRESS}`, KNOWN_TOOLS, documents)).toEqual({ value: 3 });
  expect(runPlan(`get the score from ${ADDRESS} and add 5 to it`, KNOWN_TOOLS, documents)).toEqual({
    value: 8,
  });
  expect(runPlan(`get the colour from ${ADDRESS}`, KNOWN_TOOLS, documents)).toEqual({
    refused: expect.stringContaining('no "colour"'),
  });
});

test('a document that is no JSON is refused and not guessed', () => {
  const read = runPlan(`get the score from ${ADDRESS}`, KNOWN_TOOLS, { [ADDRESS]: 'plain text' });
  expect(read).toHaveProperty('refused');
});

test('names with odd characters are quoted in a path', () => {
  const { steps } = understand(`get the first name from {"first-name":"Al"}`, KNOWN_TOOLS);
  expect(steps).toEqual([
    expect.objectContaining({ args: expect.objectContaining({ path: "$['first-name']" }) }),
  ]);
});
