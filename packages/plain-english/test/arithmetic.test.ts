import { understand } from '../src';
import { KNOWN_TOOLS } from '../src/known-tools';

const SIGNS: Readonly<Record<string, string>> = { add: '+', subtract: '-', multiply: '*', divide: '/' };

/** The calculations as one expression, references replaced. */
function expressionOf(query: string): string {
  const shown: string[] = [];
  const show = (value: unknown): string => {
    const step = /^\{\{(\d+)\}\}$/.exec(String(value))?.[1];
    return step === undefined ? String(value) : shown[Number(step) - 1]!;
  };
  for (const { args } of understand(query, KNOWN_TOOLS).steps) {
    shown.push(`(${show(args['a'])} ${SIGNS[String(args['operation'])]!} ${show(args['b'])})`);
  }
  return shown.at(-1)!;
}

test.each([
  ['(3 + 4) * 2', '((3 + 4) * 2)'],
  ['3x4', '(3 * 4)'],
  ['20 ÷ 5', '(20 / 5)'],
  ['3 - -5', '(3 - -5)'],
  ['10-5', '(10 - 5)'],
  ['what is 3 + 4 * 2', '(3 + (4 * 2))'],
  ['subtract 7 from 20', '(20 - 7)'],
  ['from 100 subtract 37', '(100 - 37)'],
  ["what's 7 less than 20", '(20 - 7)'],
  ['how much more is 50 than 32', '(50 - 32)'],
  ['eighty take away thirty', '(80 - 30)'],
  ['how many times does 6 go into 42', '(42 / 6)'],
  ['how many 6s are there in 42', '(42 / 6)'],
  ['divide 6 into 42', '(42 / 6)'],
  ['divide 42 into 6 parts', '(42 / 6)'],
  ['split 90 4 ways', '(90 / 4)'],
  ['the sum of 4, 5 and 6', '((4 + 5) + 6)'],
  ['the average of 3, 4 and 8', '(((3 + 4) + 8) / 3)'],
  ['divide the sum of 10 and 20 by 3', '((10 + 20) / 3)'],
  ['multiply the sum of 2 and 3 by the difference of 9 and 4', '((2 + 3) * (9 - 4))'],
  ['add twice 4 to the square of 3', '((3 * 3) + (4 * 2))'],
  ['3 plus 4, times 2', '((3 + 4) * 2)'],
  ['15% of 80', '(0.15 * 80)'],
  ['200 plus 10%', '(200 * 1.1)'],
  ['10% off 50', '(0.9 * 50)'],
  ['add 20% to 50', '(50 * 1.2)'],
  ['what percent of 80 is 20', '((20 / 80) * 100)'],
  ['by how much is 83 greater than 47', '(83 - 47)'],
  ['by how much is 47 less than 83', '(83 - 47)'],
  ['20 is what percent of 80', '((20 / 80) * 100)'],
  ['two thirds of 90', '((90 * 2) / 3)'],
  ['half a dozen times 3', '(6 * 3)'],
  ['two and a half times 4', '(2.5 * 4)'],
  ['add one hundred and five', '(100 + 5)'],
  ['1.5 million divided by 3', '(1500000 / 3)'],
  ['take 100, divide it by 4 and add 10', '((100 / 4) + 10)'],
  ['find the average of 10, 20 and 60 and double it', '((((10 + 20) + 60) / 3) * 2)'],
  ['pls mutliply 4 wiht 5', '(4 * 5)'],
  ['I have 2 dogs. what is 3 plus 4?', '(3 + 4)'],
])('%s', (query, expected) => {
  expect(expressionOf(query)).toBe(expected);
});

test.each([
  ['2^8', undefined],
  ['square root of 16', undefined],
  ['what is 17 mod 5', undefined],
  ['multiply 6', 'b'],
  ['divide 10 by', 'b'],
  ['what is 5', undefined],
  ['what is 5 and 6', undefined],
])('%s is refused, missing %s', (query, missing) => {
  expect(() => understand(query, KNOWN_TOOLS)).toThrow(
    expect.objectContaining({
      code: 'QUERY_NOT_UNDERSTOOD',
      details:
        missing === undefined
          ? expect.not.objectContaining({ missing: expect.anything() })
          : expect.objectContaining({ missing }),
    }),
  );
});
