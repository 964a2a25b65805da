import fc from 'fast-check';
import { findNearest } from '../../../../src/base/text/nearest';

const KNOWN = ['requiresApproval', 'timeout', 'toolTimeout', 'options', 'userId', 'args', 'calculator'];

test.each([
  ['requireApproval', 'requiresApproval'],
  ['timout', 'timeout'],
  ['tiemout', 'timeout'],
  ['option', 'options'],
  ['user_id', 'userId'],
  ['USERID', 'userId'],
  ['arg', 'args'],
  ['calculater', 'calculator'],
])('%s is most likely %s', (written, name) => {
  expect(findNearest(written, KNOWN)).toEqual({ name, isLikely: true });
});

test.each([
  ['calc', 'calculator'],
  ['Timeouts of tools'.replaceAll(' ', ''), 'timeout'],
])('%s is near to %s, and may be another word', (written, name) => {
  expect(findNearest(written, KNOWN)).toMatchObject({ name });
});

test.each(['colour', 'x', '', 'z'.repeat(1_000)])('%s is like none', (written) => {
  expect(findNearest(written, KNOWN)).toBeUndefined();
});

const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const word = fc.array(letter, { minLength: 8, maxLength: 20 }).map((letters) => letters.join(''));

test('a long name with one slip is found, whatever the slip', () => {
  const slip = fc.constantFrom('leave out', 'add', 'replace', 'swap');
  fc.assert(
    fc.property(word, slip, letter, fc.nat(), (name, kind, other, at) => {
      const place = at % (name.length - 1);
      const [before, one, two, after] = [
        name.slice(0, place),
        name[place],
        name[place + 1],
        name.slice(place + 2),
      ];
      const written = {
        'leave out': `${before}${two}${after}`,
        add: `${before}${other}${one}${two}${after}`,
        replace: `${before}${other}${two}${after}`,
        swap: `${before}${two}${one}${after}`,
      }[kind];
      expect(findNearest(written, [name, 'zzzzzzzzzzzz'])).toEqual({ name, isLikely: true });
    }),
  );
});

test('a name is never likely where more of it differs than stays', () => {
  fc.assert(
    fc.property(word, (name) => {
      expect(findNearest(name, [name.toUpperCase()])).toEqual({ name: name.toUpperCase(), isLikely: true });
      expect(findNearest(name, ['z'.repeat(name.length)])).toBeUndefined();
    }),
  );
});
