import { KNOWN_TOOLS, understand } from '../src';

const SIGNS: Readonly<Record<string, string>> = { add: '+', subtract: '-', multiply: '*', divide: '/' };

/** The calculations as expressions, references replaced; one for each result that no later one goes on with. */
function expressionsOf(query: string): readonly string[] {
  const shown: string[] = [];
  const used = new Set<number>();
  const show = (value: unknown): string => {
    const step = Number(/^\{\{(\d+)\}\}$/.exec(String(value))?.[1] ?? 0);
    if (step > 0) used.add(step - 1);
    return step === 0 ? String(value) : (shown[step - 1] ?? '?');
  };
  for (const { args } of understand(query, KNOWN_TOOLS).steps)
    shown.push(`(${show(args['a'])} ${SIGNS[String(args['operation'])] ?? '?'} ${show(args['b'])})`);
  return shown.filter((_, at) => !used.has(at));
}

test.each([
  ['(3 + 4) * 2', '((3 + 4) * 2)'],
  ['3x4', '(3 * 4)'],
  ['20 ÷ 5', '(20 / 5)'],
  ['3 - -5', '(3 - -5)'],
  ['10-5', '(10 - 5)'],
  ['(2 + 3)(4)', '((2 + 3) * 4)'],
  ['what is 3 + 4 * 2', '(3 + (4 * 2))'],
  ['2^3 - 1', '(((2 * 2) * 2) - 1)'],
  ['subtract 7 from 20', '(20 - 7)'],
  ['7 subtracted from 20', '(20 - 7)'],
  ['eighty take away thirty', '(80 - 30)'],
  ['take 30 away from 80', '(80 - 30)'],
  ['split 90 4 ways', '(90 / 4)'],
  ['the sum of 4, 5 and 6', '((4 + 5) + 6)'],
  ['the average of 3, 4 and 8', '(((3 + 4) + 8) / 3)'],
  ['the largest of 3, 11 and 8', '(11 + 0)'],
  ['divide the sum of 10 and 20 by 3', '((10 + 20) / 3)'],
  ['multiply the sum of 2 and 3 by the difference of 9 and 4', '((2 + 3) * (9 - 4))'],
  ['add twice 4 to the square of 3', '((3 * 3) + (4 * 2))'],
  ['3 plus 4, times 2', '((3 + 4) * 2)'],
  ['15% of 80', '(0.15 * 80)'],
  ['200 plus 10%', '(200 * 1.1)'],
  ['10% off 50', '(0.9 * 50)'],
  ['add 20% to 50', '(50 * 1.2)'],
  ['increase 640 by a quarter', '(640 * 1.25)'],
  ['what percent of 80 is 20', '((20 / 80) * 100)'],
  ['what percentage is 20 of 80', '((20 / 80) * 100)'],
  ['20 is what percent of 80', '((20 / 80) * 100)'],
  ['18 out of 25 as a percentage', '((18 / 25) * 100)'],
  ['two thirds of 90', '((90 * 2) / 3)'],
  ['1/4 of 60', '((1 / 4) * 60)'],
  ['half a dozen times 3', '(6 * 3)'],
  ['two and a half times 4', '(2.5 * 4)'],
  ['add one hundred and five', '(100 + 5)'],
  ['1.5 million divided by 3', '(1500000 / 3)'],
  ['take 20% of 400, divide it by 4 and add 10', '(((0.2 * 400) / 4) + 10)'],
  ['find the average of 10, 20 and 60 and double it', '((((10 + 20) + 60) / 3) * 2)'],
  ['Hi! Could you multiply 6 by 7 and then subtract 2, please?', '((6 * 7) - 2)'],
  ['add 250 and 125, then divide the result by 5', '((250 + 125) / 5)'],
])('%s', (query, expected) => {
  expect(expressionsOf(query)).toEqual([expected]);
});

test('two calculations that have nothing to do with each other are both made', () => {
  expect(expressionsOf('What is 3 plus 4? What is 5 times 6?')).toEqual(['(3 + 4)', '(5 * 6)']);
});

test.each([
  'square root of 16',
  'what is 17 mod 5',
  'what is 5',
  'what is 5 and 6',
  '12 percent of what is 60',
  'is 7 greater than 3?',
  'Is it true that 2 plus 2 is 5?',
  'Does 3 plus 4 equal 8?',
  'which is bigger, 7 or 3?',
  '2 plus 2 is 5, right?',
  'What is 5 plus 3 in binary?',
  'multiply 2,5 by 4',
  'divide 6 into 42',
  'call 555-0199',
  '5 kg + 300 g',
  'What is 3 hours plus 45 minutes?',
  '£20 + $5',
  'Write a haiku about 5 plus 3',
  'remind me in 5 minutes to add 3',
  'I have 12 apples and give away 5, how many are left?',
  'Of 320 pupils 35% walk to school. How many do not walk?',
  'How much is 83 more than 47?',
  '3 + ',
  '(3 + 4',
  `${'('.repeat(100)}1${')'.repeat(100)} + 1`,
])('refused: %s', (query) => {
  expect(() => understand(query, KNOWN_TOOLS)).toThrow(
    expect.objectContaining({ code: 'QUERY_NOT_UNDERSTOOD' }),
  );
});

test.each([
  ['multiply 6', 'b', { operation: 'multiply', a: 6 }],
  ['divide 10 by', 'b', { operation: 'divide', a: 10 }],
  ['add', 'a', { operation: 'add' }],
])('%s names what is missing: %s', (query, missing, extractedArgs) => {
  expect(() => understand(query, KNOWN_TOOLS)).toThrow(
    expect.objectContaining({
      message: expect.not.stringContaining('OPENAI_API_KEY'),
      details: expect.objectContaining({ missing, toolName: 'calculator', extractedArgs }),
    }),
  );
});
