import fc from 'fast-check';
import { readClaim } from '../src';

const read = (message: string, value: string, subject = 'user', ends = false) => {
  const start = message.indexOf(value);
  return readClaim(message, { subject, ends, start, end: start + value.length });
};

test('a claim that is stated has the place of its clause', () => {
  const message = 'Great week: I moved to Leeds, and the sun came out.';
  const { start, end, problem } = read(message, 'Leeds') ?? { start: 0, end: 0 };
  expect([message.slice(start, end), problem]).toEqual(['I moved to Leeds', undefined]);
});

test.each([
  ['asked', 'Do I live in Leeds?', 'Leeds'],
  ['unreal', 'I might move to Leeds.', 'Leeds'],
  ['unreal', 'If I move to Leeds I take the dog.', 'the dog'],
  ['denied', 'I never lived in Leeds.', 'Leeds'],
  ['denied', 'I live in York instead of Leeds.', 'Leeds'],
  ['denied', "I can't play the piano.", 'piano'],
  ['denied', 'I cannot play the piano.', 'piano'],
  ['denied', 'I live without a car.', 'car'],
  ['denied', 'I own no car.', 'car'],
  ['reported', 'My sister lives in Leeds.', 'Leeds'],
  ['reported', 'Tom says I live in Leeds.', 'Leeds'],
])('%s: %s', (problem, message, value) => {
  expect(read(message, value)?.problem).toBe(problem);
});

test('what is about others, and what ends, may be said so', () => {
  expect(read('My sister lives in Leeds.', 'Leeds', 'sister')).toMatchObject({ start: 0 });
  expect(read('My sister lives in Leeds.', 'Leeds', 'sister')?.problem).toBeUndefined();
  expect(read('I do not live in Leeds.', 'Leeds', 'user', true)?.problem).toBeUndefined();
});

test.each<[ends: boolean, message: string, value: string]>([
  [false, 'I live in Leeds.', 'Leeds'],
  [false, 'I left Acme, and I live in Leeds.', 'Leeds'],
  [true, 'I left Acme.', 'Acme'],
  [true, 'I moved from Leeds to York.', 'Leeds'],
  [true, 'I worked at Acme until May.', 'Acme'],
  [true, "I can't play the piano.", 'piano'],
])('an end needs words of its clause (%s): %s', (ends, message, value) => {
  expect(read(message, value, 'user', true)?.problem).toBe(ends ? undefined : 'unended');
});

test('a part that is not read is not judged', () => {
  expect(read(`${'x '.repeat(3_000)}I live in Leeds.`, 'Leeds')).toBeUndefined();
});

test('a claim on any text has a place in it', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.nat(300), fc.nat(50), (message, start, length) => {
      const found = readClaim(message, { subject: 'user', ends: false, start, end: start + length });
      if (found === undefined) return;
      expect(found.start).toBeLessThan(found.end);
      expect(found.end).toBeLessThanOrEqual(message.length);
    }),
  );
});
