import fc from 'fast-check';
import { parseTemplate } from '../../../src/templates/expression';
import { previousResultScope, refersToPreviousResult } from '../../../src/templates/previous-result';
import {
  findReferencesIn,
  hasExpressions,
  KEEP,
  resolveTemplates,
  TemplateReferenceError,
} from '../../../src/templates/resolve';
import { withHangLimit } from '../../support/hang-limit';

const resolve = (value: unknown, output: unknown): unknown =>
  resolveTemplates(value, previousResultScope(output));

describe('parseTemplate', () => {
  test.each([
    ['{{a}}', [{ text: '{{a}}', root: 'a', path: [] }]],
    ['{{ a.b[0]["c d"] }}', [{ text: '{{ a.b[0]["c d"] }}', root: 'a', path: ['b', 0, 'c d'] }]],
    ['x {{a}} y', ['x ', { text: '{{a}}', root: 'a', path: [] }, ' y']],
    ['{{ 1 + 1 }} {{}} {{a b}} {a} }}', ['{{ 1 + 1 }} {{}} {{a b}} {a} }}']],
    ['', []],
  ])('%s', (text, parts) => {
    expect(parseTemplate(text)).toEqual(parts);
  });

  test('puts every text back together, whatever it is', () => {
    const pieces = fc.oneof(fc.string(), fc.constantFrom('{{', '}}', '{{a}}', '{{ a.b }}', '[0]', '.'));
    fc.assert(
      fc.property(fc.array(pieces), (array) => {
        const text = array.join('');
        expect(
          parseTemplate(text)
            .map((part) => (typeof part === 'string' ? part : part.text))
            .join(''),
        ).toBe(text);
      }),
    );
  });

  test('takes time in proportion to the text, also a hostile one', () => {
    for (const hostile of ['{{'.repeat(500_000), `{{a${'.b'.repeat(500_000)}`, `{{${' '.repeat(1_000_000)}a`])
      expect(withHangLimit(() => parseTemplate(hostile))).not.toHaveLength(0);
  });
});

describe('hasExpressions', () => {
  test('agrees with the list of all expressions, whatever the value is', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('{{a}}', 'x {{ a.b[0] }}', '{{ 1 + 1 }}', '{{a', 'a}}'),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.object({ values: [text] }),
      ),
    }));
    fc.assert(
      fc.property(value, (any) => {
        expect(hasExpressions(any)).toBe(findReferencesIn(any).length > 0);
      }),
    );
  });

  test('ends at the first, however many there are', () => {
    expect(withHangLimit(() => hasExpressions(['{{a}}'.repeat(20_000_000)]))).toBe(true);
  });
});

describe('resolveTemplates', () => {
  test('a value without templates comes back equal, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('{{'));
        expect(resolve(value, 1)).toEqual(value);
      }),
    );
  });

  test('alone, it keeps type and value of any output', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (output) => {
        expect(resolve({ a: ['{{previous_result}}'] }, output)).toEqual({ a: [output] });
      }),
    );
  });

  test('within a text it is text: strings as they are, the rest as JSON', () => {
    expect(resolve('n={{previous_result}}', 5)).toBe('n=5');
    expect(resolve('n={{previous_result}}', 'five')).toBe('n=five');
    expect(resolve('n={{previous_result}};{{previous_result.a}}', { a: [1] })).toBe('n={"a":[1]};[1]');
  });

  test('an error shows the beginning of a long reference, because it is stored in the history', () => {
    const long = 'x'.repeat(1_000_000);
    for (const text of [`{{previous_result.${long}}}`, `{{previous_result.a${'.b'.repeat(500_000)}}}`]) {
      try {
        resolve(text, 5);
        throw new Error('it was resolved');
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateReferenceError);
        expect((error as Error).message).toMatch(
          /^\{\{previous_result\..+… cannot be resolved: there is no ".+" in number$/,
        );
        expect((error as Error).message.length).toBeLessThan(600);
      }
    }
  });

  test('what an output holds is never read as a template again', () => {
    expect(resolve('{{previous_result}}', '{{previous_result}}')).toBe('{{previous_result}}');
    expect(resolve('<{{previous_result}}>', '{{previous_result}}')).toBe('<{{previous_result}}>');
  });

  test('reaches in by name and index, and only to own properties', () => {
    const output = { items: [{ id: 7 }], 'odd key': 1 };
    expect(resolve('{{previous_result.items[0].id}}', output)).toBe(7);
    expect(resolve('{{previous_result["odd key"]}}', output)).toBe(1);
    for (const text of ['{{previous_result.constructor}}', '{{previous_result.__proto__}}']) {
      expect(() => resolve(text, output)).toThrow(TemplateReferenceError);
    }
    expect(() => resolve('{{previous_result.items[1].id}}', output)).toThrow(/no "1" in an array/);
  });

  test('result of a bare output is the output, as answers show it', () => {
    expect(resolve('{{previous_result.result}}', 8)).toBe(8);
    expect(resolve('{{previous_result.result[0]}}', [8])).toBe(8);
    expect(() => resolve('{{previous_result.result}}', { a: 1 })).toThrow(TemplateReferenceError);
  });

  test('other names stay as they are', () => {
    expect(resolve('Dear {{name}}, {{previous_result}}', 1)).toBe('Dear {{name}}, 1');
    expect(resolveTemplates('{{a}}', () => KEEP)).toBe('{{a}}');
  });

  test('names of properties are resolved, and __proto__ stays one', () => {
    const value = JSON.parse('{"__proto__":{"x-{{previous_result}}":"{{previous_result}}"}}') as unknown;
    expect(JSON.stringify(resolve(value, 1))).toBe('{"__proto__":{"x-1":1}}');
    expect(resolve({ '{{other}}': 1 }, 1)).toEqual({ '{{other}}': 1 });
  });

  test('two equal names and a value that is no name are errors', () => {
    expect(() => resolve({ a: 1, '{{previous_result}}': 2 }, 'a')).toThrow(/two properties .* "a"/);
    expect(() => resolve({ '{{previous_result}}': 2 }, { b: 1 })).toThrow(/has to be a text, it is object/);
  });
});

test('finds references however deep', () => {
  expect(refersToPreviousResult({ a: [{ b: 'x {{previous_result.c}}' }] })).toBe(true);
  expect(refersToPreviousResult({ previous_result: '{{other}}' })).toBe(false);
  expect(findReferencesIn(['{{a}}{{b.c}}']).map(({ root }) => root)).toEqual(['a', 'b']);
});

test('values inserted many times over are refused before they are built', () => {
  const output = 'x'.repeat(1_000);
  const scope = previousResultScope(output);
  expect(resolveTemplates('{{previous_result}}'.repeat(10), scope, 10_000)).toHaveLength(10_000);
  expect(() => resolveTemplates('{{previous_result}}'.repeat(11), scope, 10_000)).toThrow(/too long/);
  expect(() => resolveTemplates(Array(11).fill('{{previous_result}}'), scope, 10_000)).toThrow(/too long/);
});
