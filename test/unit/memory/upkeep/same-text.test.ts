import type { RecordedFact } from '../../../../src/contracts/facts';
import { toEpisodicNode } from '../../../../src/memory/nodes/episodic-node';
import { buildFactsKey, buildFrameKey, buildWordsKey } from '../../../../src/memory/upkeep/same-text';
import type { MemoryNode } from '../../../../src/stores/memory/node';
import { withHangLimit } from '../../../support/hang-limit';

test.each([
  ['I have 2 cats', 'i have 2 cats.'],
  ['The tea is hot', 'Tea is hot!'],
  ['Well, I’m late', "I'm really late"],
  ['I live in Rome', 'I live  in\nRome,'],
  ['“Rome” (Italy)...', 'Rome Italy'],
  ['He said "…" then', 'he said then'],
])('%j says the same as %j', (one, other) => {
  expect(buildWordsKey(one)).toBe(buildWordsKey(other));
});

test.each([
  ['I have 2 cats', 'I have 3 cats'],
  ['It is -5 degrees', 'It is 5 degrees'],
  ['It costs 3.5', 'It costs 35'],
  ['I like C', 'I like C++'],
  ['I like tea', 'I liked tea'],
  ['I like tea', 'They like tea'],
  ['I like tea', 'I do not like tea'],
  ['I like tea', "I don't like tea"],
  ['You like tea.', 'You like tea?'],
  ['The flight to Rome', 'The flight from Rome'],
  ['Ann helps Ben', 'Ben helps Ann'],
  ['my tea is hot', 'my tea is cold'],
  ['I met Will', 'I met will'],
  ['I saw a dog', 'I saw a cat'],
  ['50 $', '50 €'],
])('%j does not say the same as %j', (one, other) => {
  expect(buildWordsKey(one)).not.toBe(buildWordsKey(other));
});

test('long runs of punctuation inside of words take no time', () => {
  for (const mark of ['.', ')', '"', '(', '…'])
    expect(withHangLimit(() => buildWordsKey(`a${mark.repeat(500_000)}b`))).not.toBe(buildWordsKey('a b'));
});

const home = (value: string, text: string, more: Partial<RecordedFact> = {}): RecordedFact => ({
  subject: 'user',
  attribute: 'home',
  value,
  change: 'holds',
  single: true,
  start: 0,
  end: text.length,
  ...more,
});
const keyOf = (text: string, more?: Partial<RecordedFact>): string | undefined =>
  buildFactsKey(text, [home(/\w+/.exec(text.split(' ').at(-1) ?? '')?.[0] ?? '', text, more)]);

test('the facts of a text count only where it says nothing else', () => {
  expect(keyOf('I live in Rome.')).toBe(keyOf('My home is in Rome.'));
  expect(keyOf('I live in Rome.')).not.toBe(keyOf('I live in Oslo.'));
  // The same fact with another number or a negation is another one.
  expect(keyOf('I live at 7 in Rome.')).not.toBe(keyOf('I live in Rome.'));
  expect(keyOf('I do not live in Rome.')).not.toBe(keyOf('I live in Rome.'));
  expect(keyOf('I live in Rome.', { end: 5 })).toBeUndefined();
  expect(keyOf('I live in Rome.', { change: 'ends' })).toBeUndefined();
  expect(keyOf('I live in Rome.', { certain: false })).toBeUndefined();
  expect(keyOf('I live in Rome.', { retracted: {} })).toBeUndefined();
  expect(buildFactsKey('I live in Rome.', [])).toBeUndefined();
});

test('memories that differ in anything besides their text are never compared', () => {
  const frame = (more: object = {}): string =>
    buildFrameKey(
      toEpisodicNode(
        { userId: 'ann', sessionId: 's', content: 'x', ...more },
        { id: '1', timestamp: 1 },
      ) as MemoryNode,
    );
  const tags = (...labels: string[]) => ({ metadata: { tags: labels } });
  expect(frame({ content: 'y', sessionId: 't', context: { turn: '7' } })).toBe(frame());
  expect(frame(tags('a', 'b'))).toBe(frame(tags('b', 'a')));
  for (const other of [
    tags('a'),
    { context: { date: '2026-01-01' } },
    { metadata: { location: 'Rome' } },
    { metadata: { source: 'import' } },
    { metadata: { colour: 'red' } },
  ])
    expect(frame(other)).not.toBe(frame());
});
