import type { ToolDescription } from '../src/types';
import { answerPrompt, chooseNext, understand } from '../src';
import { KNOWN_TOOLS } from '../src/known-tools';

const text = (description: string) => ({ type: 'string', description, required: true }) as const;
const email: ToolDescription = {
  name: 'send_email',
  description: 'Sends an email to one person.',
  parameters: { to: text('Email address of the recipient'), body: text('Text of the message') },
};
const release: ToolDescription = {
  name: 'deploy_service',
  description: 'Deploys a service to an environment',
  parameters: {
    service: text('Name of the service'),
    environment: { ...text('Environment'), enum: ['staging', 'production'] },
    notify: { type: 'boolean', description: 'Whether to notify the team', required: false },
  },
};

function plan(query: string, ...others: ToolDescription[]): unknown[] {
  return understand(query, [...KNOWN_TOOLS, ...others]).steps.map(({ args }) => args);
}

function answer(content: string): string | undefined {
  return answerPrompt([{ role: 'user', content }]);
}

describe('what is not to be done', () => {
  test.each([
    'do not fetch http://example.com/y',
    "don't add 2 and 3",
    'never delete http://example.com/y',
    "please don't send an email to ann@example.com saying hi",
    "don't you dare call http://example.com/y",
    "I don't want you to fetch http://example.com/y",
    'You must not multiply 3 by 4',
    'be sure not to call http://example.com/y',
    'avoid fetching http://example.com/y',
    'under no circumstances, do not even try to double 12',
    "what is 2 plus 3 and don't email ann@example.com",
  ])('%s', (query) => {
    expect(() => plan(query, email)).toThrow(
      expect.objectContaining({
        code: 'QUERY_NOT_UNDERSTOOD',
        message: expect.stringMatching(/^The text says what not to do\./),
      }),
    );
  });

  test.each<[string, unknown]>([
    ['can you not just tell me 6 times 7', { operation: 'multiply', a: 6, b: 7 }],
    ["don't forget to add 2 and 3", { operation: 'add', a: 2, b: 3 }],
    ["send an email to ann@example.com saying don't wait", { to: 'ann@example.com', body: "don't wait" }],
    [
      'send an email to ann@example.com saying do not call me',
      { to: 'ann@example.com', body: 'do not call me' },
    ],
    [
      `send an email to ann@example.com "don't add sugar"`,
      { to: 'ann@example.com', body: "don't add sugar" },
    ],
    ["send an email to ann@example.com: don't call me", { to: 'ann@example.com', body: "don't call me" }],
    [
      "deploy auth-api to staging and don't notify anyone",
      { service: 'auth-api', environment: 'staging', notify: false },
    ],
  ])('but not %s', (query, args) => {
    expect(plan(query, email, release)).toEqual([args]);
  });
});

test.each([
  'is 7 greater than 3?',
  'hey, is 7 greater than 3?',
  'Is it true that 2 plus 2 is 5?',
  'Does 3 plus 4 equal 8?',
  'Answer yes or no: is 2 plus 2 equal to 4?',
  '2 plus 2 is 5, right?',
  'check whether 3 times 4 is 12',
  'tell me if 3 times 4 is more than 10',
  'which is bigger, 7 or 3?',
  'can 12 be divided by 4?',
  'Write a haiku about 5 plus 3',
  'Convert 5 plus 3 to roman numerals',
  'remind me in 5 minutes to add 3',
  'is it raining in Paris or 5 plus 3',
  'could you please draw 5 plus 3 apples',
  'explain how to divide 12 by 4',
])('neither a plan nor an answer: %s', (query) => {
  const messages = [{ role: 'user', content: query }] as const;
  const tools = KNOWN_TOOLS.slice(0, 1);
  const refusal = expect.objectContaining({ code: 'QUERY_NOT_UNDERSTOOD' });
  expect(() => chooseNext({ messages, tools, choice: 'required' })).toThrow(refusal);
  expect(() => plan(query)).toThrow(refusal);
  expect(answer(query)).toBeUndefined();
});

test.each([
  ["don't add 2 and 3"],
  ['Do not extract the numbers from: 3 cats'],
  ['Summarise without names: Ann sleeps. Bob eats.'],
  ['How do I add 5 and 3?'],
  ['What is 5 plus 3 in binary?'],
  ['Why is 2 plus 2 4?'],
  ['Extract the phone number from: we have 3 cats'],
  ['Extract the price from: 3 cats for $5'],
])('no answer: %s', (prompt) => {
  expect(answer(prompt)).toBeUndefined();
});

test.each([
  ['Hello, could you please calculate 5 plus 3?', '8'],
  ['What is 12 times 4? Reply with only the number.', '48'],
  ['Extract the phone number from: call 555-1234 or 555-9999', '555-1234\n555-9999'],
  [
    'Find all phone numbers in: on 2025-05-01 call +1 (555) 123-4567, (020) 7946 0958 or 0171 123456. 5 cats',
    '+1 (555) 123-4567\n(020) 7946 0958\n0171 123456',
  ],
])('still answered: %s', (prompt, expected) => {
  expect(answer(prompt)).toBe(expected);
});

test.each([
  ['what is 12 times 8 and send it to Bob', 'send it to Bob'],
  ['add 3 and 4, then email the result to Ann', 'email the result to Ann'],
  ['what is 12 times 8 and tweet it', 'tweet it'],
  ['multiply 3 by 4. Also text me the answer', 'text me the answer'],
])('a clause that no tool takes is named: %s', (query, clause) => {
  expect(() => plan(query)).toThrow(`No tool fits "${clause}".`);
});

test.each([
  'I have 12 apples and give away 5, how many are left?',
  'A plumber charges 45 an hour and works for 3 hours. What does he get?',
  'Of 320 pupils 35% walk to school. How many do not walk?',
  'A quarter of our 1,600 euro budget is gone. How much is left?',
  'Maya has 34 stickers. Her brother has twice as many. How many do they have together?',
  'Rent is 850 plus 120 for heating. What do I pay in a year?',
  'How much is 83 more than 47?',
  'from 1,000 take away 275 and then another 130 for the cat',
  'write a poem about the sea',
])('what a language model would read names the settings that give one: %s', (query) => {
  const settings = ['OPENAI_API_KEY', 'LOCAL_LLM_BASE_URL'];
  expect(() => understand(query, KNOWN_TOOLS)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(settings.join(' or ')),
      details: expect.objectContaining({ message: expect.stringContaining(settings.join(' or ')), settings }),
    }),
  );
});

test('what lacks a value names the value and no setting', () => {
  expect(() => understand('multiply 6', KNOWN_TOOLS)).toThrow(
    expect.objectContaining({
      message: expect.not.stringContaining('OPENAI_API_KEY'),
      details: expect.objectContaining({ missing: 'b' }),
    }),
  );
});

test.each([
  "you can't delete http://localhost:8080/users/3",
  'do not, under any circumstances, delete http://localhost:8080/users/3',
  'there is no need to post {"a":1} to http://localhost:8080/users',
])('a request that changes something is not sent where a word denies: %s', (query) => {
  expect(() => understand(query, KNOWN_TOOLS)).toThrow(
    expect.objectContaining({ code: 'QUERY_NOT_UNDERSTOOD' }),
  );
});

test('a denial inside a value denies nothing', () => {
  const { steps } = understand(
    'post {"text":"do not wait, never stop"} to http://localhost:8080/notes',
    KNOWN_TOOLS,
  );
  expect(steps).toEqual([expect.objectContaining({ toolName: 'api_call' })]);
});

test.each([
  ['5 kg + 300 g', '5 kg and 300 g'],
  ['What is 3 hours plus 45 minutes?', '3 hours and 45 minutes'],
  ['£20 + $5', '£20 and $5'],
  ['subtract 30 cents from 2 euros', '2 euros and 30 cents'],
])('amounts of different units are not added: %s', (query, amounts) => {
  expect(() => plan(query)).toThrow(`${amounts} are in different units.`);
  expect(answer(query)).toBeUndefined();
});

test.each<[string, unknown]>([
  ['5 kg + 3 kg', { operation: 'add', a: 5, b: 3 }],
  ['$5 plus 3 dollars', { operation: 'add', a: 5, b: 3 }],
  ['20 euros plus 5', { operation: 'add', a: 20, b: 5 }],
  ['3 apples plus 4 oranges', { operation: 'add', a: 3, b: 4 }],
  ['4 hours times 30 dollars', { operation: 'multiply', a: 4, b: 30 }],
])('those of one unit are: %s', (query, args) => {
  expect(plan(query)).toEqual([args]);
});

describe('a question about an address', () => {
  test.each([
    'is https://example.com/jobs/4 remote?',
    'who wrote the newest post at https://example.com/posts?',
    'what did the last update of https://example.com/status say?',
  ])('is no request that changes something: %s', (query) => {
    let steps: unknown[] = [];
    try {
      steps = plan(query);
    } catch (error) {
      expect(error).toMatchObject({ code: 'QUERY_NOT_UNDERSTOOD' });
    }
    for (const step of steps as { method?: string }[]) expect(step.method ?? 'GET').toBe('GET');
  });
});

describe('half a request is never run', () => {
  const lookup: ToolDescription = {
    name: 'lookup_order',
    description: 'Looks up an order and gives its amount',
    parameters: { orderId: text('The id of the order') },
  };
  const refund: ToolDescription = {
    name: 'shop.refund',
    description: 'Refunds an order',
    parameters: {
      orderId: text('The id of the order'),
      amount: { type: 'number', description: 'How much', required: true },
    },
  };
  const initials: ToolDescription = {
    name: 'initials',
    description: 'Gives the initials of a name',
    parameters: { name: text('A name') },
  };

  test.each([
    'Look up order A200 and then refund its amount',
    'Look up order A100, then refund it',
    'Look up order A100 and cancel it',
    'Look up order A200 or refund it',
    'Look up order A200 and then write a poem',
    'Look up order A200 and add 2 and 3',
    'Get the initials of Ada Lovelace and then post them to http://127.0.0.1:3290/hook',
    'Add 2 and 3 and delete order A100',
    'add 2 and 3 but first delete order A100',
    'add 2 and 3 while deleting A100',
    'add 2 and 3 and email Bob',
    'Add 2 and 3. Refund order A100.',
    'Add 2 and 3; I also want order A100 gone',
    'What is 2 plus 3 and who wrote Hamlet?',
    'Weather in Rome and book a flight',
    'read notes.txt and delete it',
    'fetch https://shop.example/x and order me a pizza',
  ])('%s', (query) => {
    expect(() => plan(query, lookup, refund, initials)).toThrow(
      expect.objectContaining({ code: 'QUERY_NOT_UNDERSTOOD' }),
    );
  });

  test.each<[string, number]>([
    ['Look up order A200', 1],
    ['Get the initials of Ada Lovelace', 1],
    ['Hello! What is 3 plus 4? Thanks a lot', 1],
    ['multiply 6 by 7 and then subtract 2', 2],
    ['fetch https://shop.example/x and read the total', 2],
    ['weather in Rome and Paris', 2],
  ])('a whole one is: %s', (query, calls) => {
    expect(plan(query, lookup, refund, initials)).toHaveLength(calls);
  });
});
