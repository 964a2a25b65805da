import fc from 'fast-check';
import type { ToolDescription } from '../src/types';
import { isPlainEnglishError } from '../src/errors';
import { understand } from '../src';
import { findProblem } from '../src/plan/check-arguments';
import { parseReference } from '../src/reading/steps';
import { matchQuantity } from '../src/text/quantity';
import { tokenize } from '../src/text/tokenizer';
import { KNOWN_TOOLS } from '../src/known-tools';
import { readLines } from './support/scoring';

const tools: readonly ToolDescription[] = [
  ...KNOWN_TOOLS,
  ...readLines('held-out', 'sentences-offered.jsonl'),
];
const sentences: readonly { readonly query: string }[] = readLines('held-out', 'sentences.jsonl');
const words = [...new Set(sentences.flatMap(({ query }) => query.split(' ')))];

/** Plans, and checks what holds of every plan and every refusal. */
function plan(query: string): void {
  try {
    for (const { toolName, args } of understand(query, tools).steps) {
      const tool = tools.find(({ name }) => name === toolName)!;
      const isOpen = (value: unknown): boolean => parseReference(value) !== undefined;
      expect(findProblem(tool.parameters, args, isOpen)).toBeUndefined();
    }
  } catch (error) {
    if (!isPlainEnglishError(error)) throw error;
    expect(error.code).toBe('QUERY_NOT_UNDERSTOOD');
    expect(error.details).toMatchObject({ field: 'query', message: error.message });
  }
}

test('any text gives a valid plan or QUERY_NOT_UNDERSTOOD', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (query) => plan(query)),
    { numRuns: 500 },
  );
});

test('words of real sentences in any order give a valid plan or QUERY_NOT_UNDERSTOOD', () => {
  const shuffled = fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((list) => list.join(' '));
  fc.assert(
    fc.property(shuffled, (query) => plan(query)),
    { numRuns: 1_000 },
  );
});

test('the same text gives the same plan', () => {
  for (const { query } of sentences.slice(0, 60)) {
    const once = attempt(query);
    expect(attempt(query)).toBe(once);
  }
});

function attempt(query: string): string {
  try {
    return JSON.stringify(understand(query, tools));
  } catch (error) {
    return String(error);
  }
}

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

function inWords(value: number, and: string): string {
  if (value < 20) return UNITS[value]!;
  if (value < 100) return TENS[Math.floor(value / 10)]! + (value % 10 === 0 ? '' : `-${UNITS[value % 10]!}`);
  const [size, name] = value < 1_000 ? [100, 'hundred'] : [1_000, 'thousand'];
  const rest = value % size;
  const joint = rest > 0 && rest < 100 ? and : ' ';
  return `${inWords(Math.floor(value / size), and)} ${name}${rest === 0 ? '' : joint + inWords(rest, and)}`;
}

test.each([' ', ' and '])('numbers in words from 0 to 9,999 are read, joined by %j', (and) => {
  for (let value = 0; value < 10_000; value++) {
    const { tokens } = tokenize(inWords(value, and));
    expect([matchQuantity(tokens, 0)?.value, matchQuantity(tokens, 0)?.next]).toEqual([value, tokens.length]);
  }
});

test('decimals in words are read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: 1, max: 9_999 }), (whole, part) => {
      const digits = Array.from(String(part), (digit) => UNITS[Number(digit)]!).join(' ');
      const { tokens } = tokenize(`${inWords(whole, ' ')} point ${digits}`);
      expect(matchQuantity(tokens, 0)?.value).toBe(Number(`${whole}.${part}`));
    }),
  );
});
