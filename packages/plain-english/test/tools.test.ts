import { KNOWN_TOOLS, understand } from '../src';
import type { ToolDescription, ToolParameter } from '../src/types';

type Entry = readonly [type: ToolParameter['type'], description: string, choices?: string[]];

function tool(name: string, description: string, entries: Readonly<Record<string, Entry>>): ToolDescription {
  const parameters = Object.entries(entries).map(([key, [type, about, choices]]) => [
    key.replace('?', ''),
    { type, description: about, required: !key.endsWith('?'), ...(choices ? { enum: choices } : {}) },
  ]);
  return { name, description, parameters: Object.fromEntries(parameters) as ToolDescription['parameters'] };
}

const tools: readonly ToolDescription[] = [
  ...KNOWN_TOOLS,
  tool('send_sms', 'Sends a text message to a phone number', {
    phone: ['string', 'Phone number of the recipient'],
    message: ['string', 'The message'],
  }),
  tool('get_order_status', 'Looks up the status of an order', { order_id: ['string', 'Id of the order'] }),
  tool('cancel_order', 'Cancels an order', {
    order_id: ['string', 'Id of the order'],
    'reason?': ['string', 'Why', ['damaged', 'not needed']],
  }),
  tool('book_room', 'Books a meeting room', {
    room: ['string', 'The room', ['Ash', 'Birch']],
    date: ['string', 'Day of the booking, YYYY-MM-DD'],
    'hours?': ['integer', 'How many hours'],
    'projector?': ['boolean', 'Whether a projector is needed'],
  }),
  tool('transfer', 'Transfers an amount between accounts', {
    amount: ['number', 'How much'],
    'fee?': ['number', 'The fee'],
    from: ['string', 'Account'],
    to: ['string', 'Account'],
  }),
  tool('add_note', 'Adds a note', {
    title: ['string', 'Title'],
    'text?': ['string', 'The text'],
    'tags?': ['array', 'Tags'],
  }),
  tool('roll_dice', 'Rolls dice', { sides: ['integer', 'Number of sides'] }),
];

function plan(query: string): unknown[] {
  return understand(query, tools).steps.map(({ toolName, args }) => [toolName, args]);
}

test.each<[string, string, Record<string, unknown>]>([
  ['get_order_status order_id: A17', 'get_order_status', { order_id: 'A17' }],
  ['What is the status of order ORD-1234?', 'get_order_status', { order_id: 'ORD-1234' }],
  ['use get_order_status {"order_id":"A17"}', 'get_order_status', { order_id: 'A17' }],
  ['Cancel the order A17, not needed, please', 'cancel_order', { order_id: 'A17', reason: 'not needed' }],
  ['cancel order id=A17 reason=damaged', 'cancel_order', { order_id: 'A17', reason: 'damaged' }],
  [
    'Book the birch room on 2025-06-02 for 2 hours',
    'book_room',
    { room: 'Birch', date: '2025-06-02', hours: 2 },
  ],
  [
    'book a room, room Ash, date 2 June 2025, with projector',
    'book_room',
    { room: 'Ash', date: '2025-06-02', projector: true },
  ],
  [
    'transfer amount 12.50, from savings, to Ann Smith',
    'transfer',
    { amount: 12.5, from: 'savings', to: 'Ann Smith' },
  ],
  [
    'send an sms to +15551234567, message: "I am late"',
    'send_sms',
    { phone: '+15551234567', message: 'I am late' },
  ],
  ['add a note titled "Milk"', 'add_note', { title: 'Milk' }],
  ['add note title: Weekly plan text: buy milk', 'add_note', { title: 'Weekly plan', text: 'buy milk' }],
  ['add_note title "A" tags ["x","y"]', 'add_note', { title: 'A', tags: ['x', 'y'] }],
  ['add note "don\'t wait, never stop"', 'add_note', { title: "don't wait, never stop" }],
  ['roll a dice with 20 sides', 'roll_dice', { sides: 20 }],
  ['roll the dice: sides 6', 'roll_dice', { sides: 6 }],
  ["I'd like you to call roll_dice with sides 6", 'roll_dice', { sides: 6 }],
  ['could you cancel order 1Z88K204?', 'cancel_order', { order_id: '1Z88K204' }],
])('%s', (query, name, args) => {
  expect(plan(query)).toEqual([[name, args]]);
});

test.each([
  ['roll a dice', 'sides', 'roll_dice'],
  ['cancel an order please', 'order_id', 'cancel_order'],
  ['book the Ash room', 'date', 'book_room'],
  ['book_room room=Oak date=2025-07-01', 'room', 'book_room'],
])('%s: what is missing or wrong is %s of %s', (query, missing, toolName) => {
  expect(() => plan(query)).toThrow(
    expect.objectContaining({
      code: 'QUERY_NOT_UNDERSTOOD',
      message: expect.stringContaining(missing),
      details: expect.objectContaining({ missing, toolName, extractedArgs: expect.anything() }),
    }),
  );
});

test.each([
  // The order is named, what to do with it is not.
  'get rid of order A17',
  'order A17',
  'do not cancel order A17',
  'cancel order A17 unless it has been sent',
  'cancel order A17 tomorrow',
  // What is asked, said to have been done, or said to be done by others is no order.
  'is order A17 cancelled',
  'was order A17 cancelled?',
  'who can cancel order A17',
  'can I cancel order A17',
  'we cancel order A17',
  'cancel order A17?',
  'get the status of order A17 and cancel it',
  'cancel order A17 and call me',
  'cancel orders A17 and B18',
  // Two numbers, and two parameters that take one.
  'transfer 5 and 7 from savings to current',
  'transfer 12 from savings to current',
  'book the Ash room on 03/04/2025',
  'book the Ash room without projector on 2025-06-02',
  'add a note about the milk',
  'add a note "A" and "B"',
  'roll a dice with sides six or eight',
  'order_id A17 order_id B18 cancel_order',
  'cancel_order {"order_id":"A17","amount":3}',
  'buy me a car',
  'add_note title: bread and butter',
  'add_note title: Hello and see you',
])('refused: %s', (query) => {
  expect(() => plan(query)).toThrow(expect.objectContaining({ code: 'QUERY_NOT_UNDERSTOOD' }));
});

test('tools that a sentence fits equally well are named', () => {
  const twins = ['north', 'south'].map((side) =>
    tool(`open_gate`, `Opens the ${side} gate`, { number: ['integer', 'Number of the gate'] }),
  );
  expect(() =>
    understand('open gate 4', [
      { ...twins[0]!, name: 'open_gate' },
      { ...twins[1]!, name: 'open_gate_' },
    ]),
  ).toThrow('Several tools fit equally well: open_gate, open_gate_.');
});
