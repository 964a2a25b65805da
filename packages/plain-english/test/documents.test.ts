import { KNOWN_TOOLS } from '../src/known-tools';
import { runPlan } from './support/plan-runs';

const ADDRESS = 'https://api.test.org/document';

const shop = {
  store: { name: 'Corner', city: 'Lund' },
  products: [
    { id: 11, title: 'Red kettle', price: 30, in_stock: true, category: 'kitchen' },
    { id: 12, title: 'Blue lamp', price: 45.5, in_stock: false, category: 'light' },
    { id: 13, title: 'Grey rug', price: 120, in_stock: true, category: 'floor' },
    { id: 14, title: 'Pan', price: 20, in_stock: true, category: 'kitchen' },
  ],
};
const order = {
  orderNumber: 'A17',
  customer: { name: 'Bo', city: 'Ulm' },
  lines: [
    { sku: 'A', qty: 2, unitPrice: 10 },
    { sku: 'B', qty: 1, unitPrice: 25.5 },
  ],
  subtotal: 45.5,
  shippingCost: 4.5,
  discount: null,
  paid: false,
  placedAt: '2024-02-03T10:00:00Z',
};
const team = {
  founded: 1921,
  players: [
    { name: 'Ada Berg', number: 7, position: 'wing', goals: 12, captain: false },
    { name: 'Tom Dahl', number: 9, position: 'forward', goals: 20, captain: true },
    { name: 'Eli Ek', number: 1, position: 'goalkeeper', goals: 0, captain: false },
  ],
};
const flight = {
  departure: { city: 'Bonn', time: '08:15', gate: 'A1' },
  arrival: { city: 'Rome', time: '10:05', gate: 'C3' },
  seats: { total: 180, free: 22 },
  delayMinutes: 15,
};

/** `@` is the document itself, or its address. */
const ANSWERED: readonly (readonly [question: string, document: unknown, answer: unknown])[] = [
  // By name.
  ['what is the order number in @', order, 'A17'],
  ["what's the unit price of sku B? @", order, 25.5],
  ['what city is the customer from? @', order, 'Ulm'],
  ['who is the customer in @', order, 'Bo'],
  ['when was the order placed? @', order, '2024-02-03T10:00:00Z'],
  ['has the order been paid? @', order, false],
  ['departure time please @', flight, '08:15'],
  ['city of arrival in @', flight, 'Rome'],
  // By position.
  ['quantity of the second line in @', order, 1],
  ["the last product's title in @", shop, 'Pan'],
  // By a value of the item.
  ["What's the price of the blue lamp in @?", shop, 45.5],
  ['What does the grey rug cost? @', shop, 120],
  ['is the blue lamp in stock? @', shop, false],
  ['title of the product with id 13 in @', shop, 'Grey rug'],
  ['the name of player number 7 in @', team, 'Ada Berg'],
  ["Tom's goals in @", team, 20],
  ['who is the goalkeeper in @', team, 'Eli Ek'],
  ['who is the captain? @', team, 'Tom Dahl'],
  // All values.
  ['list all titles from @', shop, ['Red kettle', 'Blue lamp', 'Grey rug', 'Pan']],
  ['titles of the kitchen products in @', shop, ['Red kettle', 'Pan']],
  ['names of players with more than 10 goals in @', team, ['Ada Berg', 'Tom Dahl']],
  // Counts.
  ['How many products are there in @', shop, 4],
  ['how many kitchen products in @', shop, 2],
  ['count the products that are not in stock: @', shop, 1],
  ['number of products under 35 in @', shop, 2],
  ['How many free seats are there? @', flight, 22],
  // Sums, averages and extremes.
  ['sum of the prices in @', shop, 215.5],
  ['average price of the products in @', shop, 53.875],
  ['Which product is the most expensive? @', shop, 'Grey rug'],
  ['who scored the most goals? @', team, 'Tom Dahl'],
  ['the second highest price in @', shop, 45.5],
  // Calculations.
  ['subtotal plus shipping cost in @', order, 50],
  ['take 10% off the subtotal in @', order, 40.95],
  ['price of the red kettle plus price of the pan in @', shop, 50],
  ['how much more does the grey rug cost than the blue lamp? @', shop, 74.5],
  ['what would 3 pans cost? @', shop, 60],
  ['total seats minus free seats @', flight, 158],
];

const REFUSED: readonly (readonly [question: string, document: unknown, message: RegExp])[] = [
  ['the price of the green chair in @', shop, /products\.price" is in the document 4 times/],
  ['what is the weight of the pan in @', shop, /no "weight"/],
  ["What is the customer's email? @", order, /no "email"/],
  ['the phone number of the store in @', shop, /no "phone"/],
  ['the sku of the fifth line in @', order, /only 2 items/],
  ['the discount times 2 in @', order, /is not a number/],
  ['Is the subtotal over 40? @', order, /yes or no/],
  ["what's the gate @", flight, /more than once: departure\.gate, arrival\.gate/],
  ['delay in hours in @', flight, /does not say it in "hours"/],
  ['sort the products by price @', shop, /sort/],
  ['the first two titles in @', shop, /Several items/],
];

function ask(question: string, document: unknown, place: string): unknown {
  const run = runPlan(question.replace('@', place), KNOWN_TOOLS, { [ADDRESS]: document });
  if ('refused' in run) return run.refused;
  const last = run.calls.at(-1);
  return last?.toolName === 'json_reader'
    ? (last.output as { readonly result: unknown }).result
    : last?.output;
}

describe.each(['written out', 'fetched'])('a document that is %s', (kind) => {
  const placeOf = (document: unknown): string => (kind === 'fetched' ? ADDRESS : JSON.stringify(document));

  test.each(ANSWERED)('%s', (question, document, answer) => {
    expect(ask(question, document, placeOf(document))).toEqual(answer);
  });

  test.each(REFUSED)('refused: %s', (question, document, message) => {
    expect(ask(question, document, placeOf(document))).toMatch(message);
  });
});

test('what is asked of several documents is read in each', () => {
  const documents = { 'https://a.org/1': { price: 10 }, 'https://b.org/2': { price: 14.5 } };
  const run = runPlan('price of https://b.org/2 minus price of https://a.org/1', KNOWN_TOOLS, documents);
  expect('calls' in run && run.calls.at(-1)?.output).toBe(4.5);
});

test('a response that nothing is asked of stays the result', () => {
  const documents = { 'https://a.org/users': [{ name: 'Ann' }] };
  const run = runPlan('please get the users from https://a.org/users', KNOWN_TOOLS, documents);
  expect('calls' in run && run.calls.map(({ toolName }) => toolName)).toEqual(['api_call']);
});

// As a ratio in one run, because times depend on the machine and on what else it does.
test('a text and a document four times as long take about four times the work', () => {
  const work = (length: number): number => {
    const items = Array.from({ length: length / 5 }, (_, index) => ({
      id: index,
      name: `Item ${index}`,
      price: index,
    }));
    const text = `${'what is the price of the thing '.repeat(length / 100)} ${JSON.stringify(items)}`;
    const before = process.cpuUsage();
    runPlan(text.slice(0, length), KNOWN_TOOLS);
    runPlan(`price of Item ${length / 5 - 1} in ${ADDRESS}`, KNOWN_TOOLS, { [ADDRESS]: items });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  work(10_000);
  const small = Math.min(...[1, 2, 3].map(() => work(2_500)));
  const large = Math.min(...[1, 2, 3].map(() => work(10_000)));
  // Work that grew with the square would be sixteen times as much.
  expect(large / small).toBeLessThan(10);
});
