import fc from 'fast-check';
import { schemaForModels } from '../../../src/llm/schema-for-models';
import { apiCallDeclaration, HTTP_METHODS, METHOD_CHOICES } from '../../../src/tools/builtin/declarations';
import { createFunctionNames } from '../../../src/llm/openai/function-names';
import { countTokens } from '../../../src/llm/token-count';
import { addUsage, NO_USAGE } from '../../../src/contracts/runs/token-usage';
import { withHangLimit } from '../../support/hang-limit';

test.each([
  ['', 0],
  ['   \n\t', 0],
  ['a', 1],
  ['word', 1],
  ['words', 2],
  ['It is 12.5 °C, really!', 11],
  ['naïve café', 3],
  ['Привет мир', 3],
  ['👍', 1],
  ['{"a":1}', 7],
])('%j is %i tokens', (text, count) => {
  expect(countTokens(text)).toBe(count);
});

test('tokens of texts set apart by a space add up', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (first, second) => {
      expect(countTokens(`${first} ${second}`)).toBe(countTokens(first) + countTokens(second));
    }),
  );
});

test('a megabyte is counted in time in proportion to its length', () => {
  expect(withHangLimit(() => countTokens('lorem ipsum, '.repeat(80_000)))).toBeCloseTo(400_000, -2);
});

test('usage adds up', () => {
  const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 };
  expect(addUsage(NO_USAGE, usage)).toEqual(usage);
  expect(addUsage(usage, usage)).toEqual({ promptTokens: 2, completionTokens: 4, totalTokens: 6 });
});

test('the methods of api_call are listed once to models, and other choices as they are', () => {
  const methodsOf = (name: string): unknown =>
    (schemaForModels({ ...apiCallDeclaration, name }).properties as { method: { enum: unknown } }).method
      .enum;
  expect(methodsOf('api_call')).toEqual(HTTP_METHODS);
  expect(methodsOf('other')).toEqual(METHOD_CHOICES);
});

test('function names are allowed ones, and one tool each', () => {
  const names = createFunctionNames(['a.b', 'a_b', 'plain', 'a-b.c']);
  expect(['a.b', 'a_b', 'plain', 'a-b.c'].map(names.functionOf)).toEqual(['a_b_2', 'a_b', 'plain', 'a-b_c']);
  expect(['a_b_2', 'a_b', 'plain', 'a-b_c'].map(names.toolOf)).toEqual(['a.b', 'a_b', 'plain', 'a-b.c']);
  expect(names.toolOf('a.b')).toBe('a.b');
  expect(names.toolOf('other')).toBeUndefined();
  expect(names.functionOf('gone.since')).toBe('gone_since');
});
