import * as fc from 'fast-check';
import type { FactSource, RecordedFact } from '../../../../src/contracts/facts';
import type { DrawnFact } from '../../../../src/memory/facts/model/ask';
import { checkDrawn, givesWay } from '../../../../src/memory/facts/model/check';
import { drawn } from '../../../support/fact-model';
import { rules } from '../../../support/rules';

const check = (text: string, fact: Partial<DrawnFact> & { readonly value: string }) =>
  checkDrawn(text, drawn(text, fact), rules.conversation);

test('a fact has the words and the clause of its memory', () => {
  const text = 'Busy week. Since May I am based in  New York, and it rains.';
  expect(check(text, { value: 'new york', subject: 'User', attribute: 'Home' })).toMatchObject({
    subject: 'user',
    attribute: 'home',
    value: 'New York',
    change: 'holds',
    single: true,
    certain: true,
    drawnBy: 'model',
  });
  const [pet, clause] = ['My sister Ola has a parrot called Kiwi', 'Ola has a parrot called Kiwi'];
  expect(check(pet, { subject: 'Ola', attribute: 'parrot', value: 'Kiwi', quote: clause })).toMatchObject({
    subject: 'ola',
    attribute: 'parrot',
    value: 'Kiwi',
    certain: false,
    single: false,
  });
});

test.each<[refusal: string, text: string, fact: Partial<DrawnFact> & { value: string }]>([
  ['quote', 'I live in Leeds.', { value: 'Leeds', quote: 'I live in Leeds now' }],
  ['value', 'I live in Leeds.', { value: 'York' }],
  ['value', 'I live in Leeds.', { value: 'Lee' }],
  ['value', 'I live in Leeds.', { value: '.' }],
  ['value', 'I live in Leeds. Ann is in York.', { value: 'York', quote: 'I live in Leeds' }],
  ['value', 'I love Paris. My boss is in Berlin.', { value: 'Paris Berlin' }],
  ['value', 'I live in Leeds.', { value: 'Leeds', replaces: 'York' }],
  ['value', 'I live in Leeds. Not York.', { value: 'Leeds', replaces: 'York', quote: 'I live in Leeds' }],
  ['quote', 'I am unemployed.', { value: 'employed', quote: 'employed' }],
  ['quote', 'I disliked tea.', { value: 'tea', quote: 'liked tea' }],
  ['quote', 'I am a non-smoker.', { value: 'smoker', quote: 'smoker' }],
  ['quote', 'I live in Leedsville.', { value: 'Leeds', quote: 'I live in Leeds' }],
  ['quote', 'My rent is 1,500 pounds.', { value: '500', quote: '500 pounds' }],
  ['value', 'I am a non-smoker.', { value: 'smoker', quote: '-smoker' }],
  ['value', 'My rent is 3.5 pounds.', { value: '3' }],
  ['subject', 'I live in Leeds.', { value: 'Leeds', subject: 'sister' }],
  ['attribute', 'I live in Leeds.', { value: 'Leeds', attribute: 'password' }],
  ['attribute', 'I live in Leeds.', { value: 'Leeds', attribute: 'constructor' }],
  ['asked', 'Do I live in Leeds?', { value: 'Leeds' }],
  ['unreal', 'I wish I lived in Leeds.', { value: 'Leeds' }],
  ['unreal', 'If I lived in Leeds, I would be happy.', { value: 'Leeds' }],
  ['denied', 'I do not live in Leeds.', { value: 'Leeds' }],
  ['denied', 'I live in York, not in Leeds.', { value: 'Leeds' }],
  ['denied', "I can't play the piano.", { value: 'piano', attribute: 'instrument' }],
  ['unended', 'I live in Leeds.', { value: 'Leeds', change: 'ends' }],
  ['reported', 'My sister lives in Leeds.', { value: 'Leeds' }],
  ['reported', 'My brother says I live in Leeds.', { value: 'Leeds' }],
])('%s: %s', (refusal, text, fact) => {
  expect(check(text, fact)).toBe(refusal);
});

test('words that stand whole beside a part of a word are found', () => {
  const text = 'Unemployed once, I am employed by Leeds-based Acme at £3.50.';
  expect(check(text, { value: 'employed', attribute: 'job', quote: 'employed' })).toMatchObject({
    value: 'employed',
  });
  for (const value of ['Leeds', 'Acme', '3.50']) expect(check(text, { value })).toMatchObject({ value });
});

test('what ends may be denied', () => {
  const fact = { attribute: 'gym', value: 'Bannatyne', change: 'ends' } as const;
  expect(check('I am not at Bannatyne any more.', fact)).toMatchObject({ change: 'ends' });
});

test('without rules, words are checked and nothing else', () => {
  expect(
    checkDrawn('Do I live in Leeds?', drawn('Do I live in Leeds?', { value: 'Leeds' }), undefined),
  ).toMatchObject({
    value: 'Leeds',
    start: 0,
  });
});

test('whatever a model answers, a fact has no words that its memory has not', () => {
  const word = fc.constantFrom(
    'I',
    'live',
    'in',
    'Leeds',
    'York',
    'home',
    'my',
    'sister',
    'unemployed',
    'non-smoker',
    '.',
    'ignore',
    '$5',
    '(',
    'İ',
  );
  const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
  const facts = fc.record({
    subject: fc.oneof(fc.constant('user'), text, fc.string({ minLength: 1 })),
    attribute: fc.oneof(fc.constant('home'), text, fc.string({ minLength: 1 })),
    value: fc.oneof(text, fc.string({ minLength: 1 })),
    change: fc.constantFrom('holds' as const, 'ends' as const, 'corrects' as const),
    quote: fc.oneof(text, fc.string({ minLength: 1 })),
    cut: fc.option(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 30 }))),
  });
  const wordsOf = (phrase: string): string => ` ${(phrase.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
  fc.assert(
    fc.property(text, facts, fc.boolean(), (memory, { cut, ...whole }, withRules) => {
      // Parts of the memory may begin and end inside of words.
      const part = cut === null ? '' : memory.slice(cut[0], cut[0] + cut[1]);
      const fact = part === '' ? whole : { ...whole, value: part, quote: part };
      const checked = checkDrawn(memory, fact, withRules ? rules.conversation : undefined);
      if (typeof checked === 'string') return;
      const words = memory.toLowerCase();
      expect(memory.slice(checked.start, checked.end).length).toBeGreaterThan(0);
      expect(memory).toContain(checked.value);
      expect(wordsOf(memory)).toContain(wordsOf(checked.value ?? ''));
      if (checked.subject !== 'user') expect(words).toContain(checked.subject.trim());
      if (checked.certain !== true) expect(words).toContain(checked.attribute.trim());
    }),
  );
});

describe('what a fact of a model gives way to', () => {
  const said = (fact: Partial<RecordedFact>): RecordedFact => ({
    subject: 'user',
    attribute: 'home',
    value: 'Leeds',
    change: 'holds',
    single: true,
    start: 0,
    end: 5,
    ...fact,
  });
  const source = (
    memoryId: string,
    fact: Partial<RecordedFact>,
    more: Partial<FactSource> = {},
  ): FactSource => ({
    memoryId,
    at: 1,
    said: [said(fact)],
    ...more,
  });
  const memory = { memoryId: 'm', at: 5 };

  test.each<[string, ReturnType<typeof givesWay>, Partial<RecordedFact>, FactSource[]]>([
    ['the same by the rules', 'known', {}, [source('m', { value: 'the leeds' })]],
    ['another single value by the rules', 'known', {}, [source('m', { value: 'York' })]],
    ['what the rules read as ended', undefined, {}, [source('m', { value: 'York', change: 'ends' })]],
    ['one of several values', undefined, { single: false }, [source('m', { value: 'York', single: false })]],
    ['what another memory says', undefined, {}, [source('other', {})]],
    ['a doubt', undefined, {}, [source('m', { change: 'doubts' })]],
    ['a retraction', 'overruled', {}, [source('other', { retracted: { at: 6 } })]],
    ['a retraction without a time', 'overruled', {}, [source('other', { retracted: {} })]],
    ['a retraction before it was said', undefined, {}, [source('other', { retracted: { at: 4 } })]],
    [
      'a retraction of the memory',
      'overruled',
      { attribute: 'city' },
      [source('m', { retracted: { at: 6 } })],
    ],
    [
      'a retraction of something else',
      undefined,
      { attribute: 'city' },
      [source('x', { retracted: { at: 6 } })],
    ],
    ['a correction', 'overruled', {}, [source('z', { value: 'Hull' }, { correctedAt: 6 })]],
    ['a correction before it was said', undefined, {}, [source('z', { value: 'Hull' }, { correctedAt: 4 })]],
    ['a fact about somebody else', undefined, { subject: 'mia' }, [source('m', {})]],
  ])('%s: %s', (_what, expected, fact, sources) => {
    expect(givesWay(said(fact), memory, sources)).toBe(expected);
  });
});
