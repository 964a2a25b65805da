import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { RecalledText } from '@holdfast/plain-english';
import { answerFromMessages } from '../support/answer-by-rules';

const FILE = join(__dirname, '..', '..', 'packages/plain-english/test/remembered/users.jsonl');
const NOW = new Date('2026-11-21T10:00:00Z');

/** What a user says, and questions with a part of their answer; null if nothing answers. */
interface User {
  readonly says: readonly string[];
  readonly asks: readonly (readonly [question: string, expected: string | null])[];
}

const users = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as User);

/** Messages of one day after the other. */
const toMessages = (says: readonly string[]): RecalledText[] =>
  says.map((text, day) => ({
    id: `m${day}`,
    kind: 'episodic',
    role: 'user',
    relevance: 0.5,
    text,
    timestamp: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
  }));

test('users who say many things are answered right, and never wrongly', () => {
  const verdicts = users.flatMap(({ says, asks }) =>
    asks.map(([question, expected]) => {
      const answer = answerFromMessages(question, toMessages(says), NOW);
      if (answer === undefined) return { question, verdict: expected === null ? 'right' : 'refused' };
      const isRight = expected !== null && answer.includes(expected);
      return { question, verdict: isRight ? 'right' : 'wrong', answer };
    }),
  );
  expect(verdicts.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
  const right = verdicts.filter(({ verdict }) => verdict === 'right').length;
  expect(right / verdicts.length).toBeGreaterThanOrEqual(0.98);
});

/** Statements of one value, the question for it, and values. */
const STATED: readonly (readonly [
  says: (value: string) => string,
  asks: string,
  values: readonly string[],
])[] = [
  [(value) => `I live in ${value}`, 'Where do I live?', ['Lisbon', 'Porto', 'New York']],
  [(value) => `I work at ${value} now`, 'Where do I work?', ['Acme', 'Globex', 'Stark & Sons']],
  [(value) => `My name is ${value}.`, "What's my name?", ['Alex', 'Dana Reis', 'Zoë']],
  [(value) => `My dentist is ${value}`, 'Who is my dentist?', ['Dr. Costa', 'Dr Amin', 'Anna Bell']],
  [(value) => `My car is a ${value}`, 'What car do I drive?', ['Renault Clio', 'Tesla Model 3', 'Skoda']],
  [
    (value) => `The wifi password at home is ${value}`,
    'What is the wifi password?',
    ['sunflower42', 'Kx-9b', 'blue-horse-9'],
  ],
  [
    (value) => `My favourite colour is ${value}`,
    'What is my favourite colour?',
    ['green', 'dark blue', 'red'],
  ],
  [(value) => `My wife is called ${value}`, "What is my wife's name?", ['Ana', 'Joana Silva', 'Mia']],
];
const ASIDES = [
  'I sold the old sofa',
  'We moved the desk to the window',
  'My boss moved to another floor now',
  'Thanks!',
  'Ola moved to Krakow last week',
  'If I lived in Rome, I would work at Fiat',
  'Tom said I live in Nara',
  'What is my name?',
  'I no longer smoke',
  'I changed the tyres',
];

test('whatever else is said, an answer is the last value that was said of what is asked', () => {
  const one = fc.oneof(
    fc.record({ which: fc.nat(STATED.length - 1), value: fc.nat(2) }),
    fc.constantFrom(...ASIDES),
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 25 }), (story) => {
      const says = story.map((part) => {
        if (typeof part === 'string') return part;
        const [say, , values] = STATED[part.which] ?? [String, '', []];
        return say(values[part.value] ?? '');
      });
      STATED.forEach(([, question, values], which) => {
        const last = story.filter((part) => typeof part !== 'string' && part.which === which).at(-1);
        const answer = answerFromMessages(question, toMessages(says), NOW);
        if (last === undefined || typeof last === 'string') expect(answer).toBeUndefined();
        else expect(answer).toMatch(new RegExp(`: ${(values[last.value] ?? '').replace('.', '\\.')}\\.$`));
      });
    }),
    { numRuns: 40 },
  );
});
