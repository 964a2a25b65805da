import fc from 'fast-check';
import { answerFromFacts as answer, type FactAnswer, type KnownFact, readFacts } from '../src';
import { measureCpuTime } from './support/cpu-time';

function known(subject: string, attribute: string, value: string, about = ''): KnownFact {
  return { id: value, subject, attribute, value, single: true, about, validFrom: 0 };
}

/** What a message says, in short: `user home = Leeds`, `user car ends Golf`. */
function told(message: string, facts: readonly KnownFact[] = []): string[] {
  return readFacts(message, facts).map(({ subject, attribute, value, change, replaces }) => {
    const verb = change === 'holds' ? '=' : change;
    return `${subject} ${attribute} ${verb} ${value}${replaces === undefined ? '' : ` for ${replaces}`}`;
  });
}

const NOW = new Date(1_000);

function answerFromFacts(query: string, facts: readonly KnownFact[]): FactAnswer | undefined {
  return answer(query, facts, [], NOW);
}

const home = known('user', 'home', 'Bristol', 'liv');
const gym = known('user', 'gym', 'Virgin Active', 'gym');
const rent = known('user', 'rent', '$1,125', 'rent');

test.each<[message: string, facts: readonly KnownFact[], expected: string]>([
  ['I live in Bristol.', [], 'user home = Bristol'],
  ['My number is 020 7946 0018.', [], 'user phone number = 020 7946 0018'],
  ['My sister Ola lives in Poznan.', [], 'sister ola home = Poznan'],
  ['We moved to Cardiff last weekend.', [home], 'user home = Cardiff for Bristol'],
  ["I've settled in Madrid now.", [home], 'user home = Madrid for Bristol'],
  ['I left Virgin Active for The Gym Group.', [gym], 'user gym = The Gym Group for Virgin Active'],
  ['I gave up Virgin Active.', [gym], 'user gym ends Virgin Active'],
  ['Sorry, I meant Bath.', [home], 'user home corrects Bath for Bristol'],
  ['Rent is now $1,240.', [rent], 'user rent = $1,240 for $1,125'],
  ['landlord bumped the rent to $1,240', [rent], 'user rent = $1,240 for $1,125'],
  ['My rent is £1,125.', [rent], 'user rent = £1,125'],
  ['My rent is £1,125 now.', [rent], 'user rent = £1,125 for $1,125'],
  ['My favourite language is C++.', [], 'user language = C++'],
  [
    'My favourite language is C# now.',
    [known('user', 'language', 'C++', 'languag')],
    'user language = C# for C++',
  ],
  ['My grade is A+.', [], 'user grade = A+'],
])('%s', (message, facts, expected) => {
  expect(told(message, facts)).toContain(expected);
});

test.each([
  'If I had the money I would buy a Tesla.',
  'I wish I had a Westfalia.',
  'We might move to Antwerp next year.',
  'Thinking of joining Bannatyne.',
  'Do I live in Leeds?',
  'I hope to work for Siemens.',
])('no fact about the user: %s', (message) => {
  expect(told(message, [home, gym]).filter((one) => one.startsWith('user'))).toEqual([]);
});

test('what is said once more is said by that message too', () => {
  expect(told('I live in Bristol.', [home])).toEqual(['user home = Bristol']);
  expect(told('Do I live in Bristol?', [home])).toEqual([]);
});

test.each([
  ['My tea is cold.', []],
  ['My car is really old.', []],
  ['My drink is water.', ['user drink = water']],
  ["I've moved to York.", ['user home = York for Bristol']],
  ['My name is Dana.', ['user name = Dana for Ann']],
])('%s says %j', (message, expected) => {
  expect(told(message, [home, known('user', 'name', 'Ann')])).toEqual(expected);
});

test('what others report is about them', () => {
  const said = told('My sister says she has Hyperoptic.');
  expect(said.every((one) => one.startsWith('sister'))).toBe(true);
});

test('where a clause stands is within its message', () => {
  const message = 'Great week: my son won his match, I switched from Vodafone to EE, and the sun came out.';
  for (const { start, end } of readFacts(message, [])) {
    expect(start).toBeLessThan(end);
    expect(end).toBeLessThanOrEqual(message.length);
  }
});

test('an answer is what holds, not what held', () => {
  const facts = [
    { ...home, validTo: 5, supersededBy: 'b' },
    { ...home, id: 'b', value: 'Cardiff', validFrom: 5 },
  ];
  expect(answerFromFacts('Where do I live?', facts)).toEqual({
    text: 'You told me: Cardiff.',
    factIds: ['b'],
    sourceIds: [],
  });
  expect(answerFromFacts('Where did I live before?', facts)?.text).toBe('You told me: Bristol.');
});

test('what has ended is not told', () => {
  const answer = answerFromFacts('Which gym do I go to?', [{ ...gym, validTo: 5 }]);
  expect(answer?.text ?? '').not.toContain('Virgin');
});

test('what is known of others is not told of the user', () => {
  const facts = [known('lady', 'pet', 'Bartholomew', 'cat')];
  expect(answerFromFacts("What's my cat called?", facts)?.text ?? '').not.toContain('Bartholomew');
});

test('no fact answers what no fact is about', () => {
  expect(answerFromFacts('What is the capital of France?', [home, gym])).toBeUndefined();
  expect(answerFromFacts('Where do I live?', [])).toBeUndefined();
});

test('any message and any question is read', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });
  fc.assert(
    fc.property(text, text, (message, query) => {
      const facts = readFacts(message, [home, gym, rent]);
      answerFromFacts(query, [home, gym, rent]);
      expect(facts.every(({ start, end }) => start <= end && end <= message.length)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('twice as long a message takes about twice as long', () => {
  const sentence = "We replaced the leather sofa with a velvet one and I've moved to Cardiff since Monday, ";
  const costOf = (times: number): number =>
    measureCpuTime(() => readFacts(sentence.repeat(times), [home, gym, rent]));
  costOf(100);
  expect(costOf(2_000)).toBeLessThan(3 * costOf(1_000));
});

test.each([
  [
    "Who's my dentist?",
    ['My dentist is Dr Amin on the high street.', 'We moved the sofa upstairs, it looks better now.'],
    'You told me on 2026-10-01: your dentist is Dr Amin on the high street.',
  ],
  ['What do I drink?', ['I drink tea.', 'I switched from tea to coffee.'], 'You told me: coffee.'],
])(
  'where something changed, the whole text answers unless it says another value: %s',
  (query, texts, expected) => {
    const recalled = texts.map((text, day) => ({
      id: `m${day}`,
      kind: 'episodic' as const,
      role: 'user' as const,
      relevance: 0.5,
      text,
      timestamp: new Date(Date.UTC(2026, 9, 1 + day)).toISOString(),
    }));
    expect(answer(query, [], recalled, new Date('2026-11-21'))?.text).toBe(expected);
  },
);
