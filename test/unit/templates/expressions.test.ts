import fc from 'fast-check';
import { parseTemplate, referencesOf, type TemplateExpression } from '../../../src/templates/expression';
import { holds } from '../../../src/templates/evaluate-condition';
import { fillMessage } from '../../../src/templates/fill-message';
import {
  findStrayBraces,
  followPath,
  resolveTemplates,
  type TemplateScope,
} from '../../../src/templates/resolve';
import { resolvedLength } from '../../../src/templates/resolved-length';
import { anyCharacter } from '../../support/any-character';
import { withHangLimit } from '../../support/hang-limit';

const VALUES = {
  a: {
    n: 1.5,
    text: ' Ab ',
    nothing: null,
    list: ['x', 2, { y: null }],
    empty: [],
    'a[0]': 'index',
    'first name': 'Ann',
    'say "x"': 'said',
    '@src': 'source',
    straße: 'road',
    名前: 'name',
    'b}}': 'braces',
    "it's": 'own',
    'C:\\new': 'as written',
    time: '2024-02-29T23:30:00.25-02:00',
    ms: 0,
  },
  größe: 5,
};
const scope: TemplateScope = (reference) =>
  followPath(VALUES, { ...reference, path: [reference.root, ...reference.path] });
const resolve = (value: unknown): unknown => resolveTemplates(value, scope);

describe('keys', () => {
  test.each([
    ['{{a["a[0]"]}}', 'index'],
    ["{{a['first name']}}", 'Ann'],
    ['{{a["say \\"x\\""]}}', 'said'],
    ['{{a[\'say "x"\']}}', 'said'],
    ["{{a['it''s']}}", 'own'],
    ["{{a['it\\'s']}}", 'own'],
    ['{{a["\\u0040src"]}}', 'source'],
    ['{{a.straße}}', 'road'],
    ['{{a.名前}}', 'name'],
    ['{{größe}}', 5],
    ['{{a["b}}"]}}', 'braces'],
    ['<{{a["b}}"]}}>', '<braces>'],
    // Earlier builds took a backslash within double quotes for itself.
    ['{{a["C:\\new"]}}', 'as written'],
    ['{{a["C:\\\\new"]}}', 'as written'],
  ])('%s', (text, value) => {
    expect(resolve(text)).toBe(value);
  });

  test('every key can be named in either quote, also as JSON writes it', () => {
    const key = fc.string({ unit: fc.oneof(anyCharacter, fc.constantFrom('"', "'", '\\', ']', '}', '{')) });
    fc.assert(
      fc.property(key, (name) => {
        const single = name.replaceAll('\\', '\\\\').replaceAll("'", "''");
        for (const written of [JSON.stringify(name), `'${single}'`]) {
          const text = `{{a[${written}].b}}`;
          const parts = parseTemplate(`x${text}y`);
          expect(parts).toEqual(['x', expect.objectContaining({ text, path: [name, 'b'] }), 'y']);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('what earlier builds read is read as they did', () => {
    const earlier = /^\{\{\s*([A-Za-z_][\w-]*)((?:\.[\w-]+|\[\d+\]|\["[^"\]]*"\])*)\s*\}\}$/;
    const step = fc.oneof(
      fc.stringMatching(/^\.[\w-]{1,8}$/),
      fc.stringMatching(/^\[\d{1,3}\]$/),
      fc.stringMatching(/^\["[^"\]]{0,8}"\]$/),
      fc.constantFrom('["a\\"]', '["\\n"]', '["\\\\"]', '["\\q"]', '["{{b}}"]', '["?? 1 | upper"]'),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const text = `{{ a${steps.join('')} }}`;
        expect(text).toMatch(earlier);
        const path = steps.map((one) => {
          if (one.startsWith('.')) return one.slice(1);
          return one.startsWith('["') ? one.slice(2, -2) : Number(one.slice(1, -1));
        });
        const [parsed] = parseTemplate(text) as [TemplateExpression];
        expect(parsed.text).toBe(text);
        const earlierNames = new Map(Object.entries(parsed.earlierNames ?? {}));
        const asEarlier = parsed.path.map((name) => earlierNames.get(String(name)) ?? name);
        expect(asEarlier).toEqual(path);
        const value = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), 1);
        expect(resolveTemplates(text, (reference) => followPath(value, reference))).toBe(1);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('defaults and functions', () => {
  test.each([
    ['{{a.missing ?? "none"}}', 'none'],
    ['{{a.nothing ?? "none"}}', 'none'],
    ['{{a.n ?? "none"}}', 1.5],
    ['Hello {{a.nothing ?? ""}}!', 'Hello !'],
    ['{{a.missing.deep[3] ?? a.nothing ?? größe}}', 5],
    ['{{a.missing ?? -2e1}}', -20],
    ['{{a.missing ?? 9007199254740993}}', '9007199254740993'],
    ['{{a.missing ?? -9223372036854775807}}', '-9223372036854775807'],
    ['{{a.missing ?? 9007199254740992}}', 9007199254740992],
    ['id {{a.missing ?? 9007199254740993}}', 'id 9007199254740993'],
    ['{{a.missing ?? true}}', true],
    ['{{a.missing ?? false}}', false],
    ['{{a.missing ?? null}}', null],
    ['{{missing??"a\\nb"}}', 'a\nb'],
    ['{{a.text | trim | upper}}', 'AB'],
    ['{{a.text|lower}}', ' ab '],
    ['{{a.list | json}}', '["x",2,{"y":null}]'],
    ['{{a.nothing | json}}', 'null'],
    ['{{a.list | length}}', 3],
    ['{{a | length}}', Object.keys(VALUES.a).length],
    ['{{a["it\'s"] | length}}', 3],
    ['{{a.list | first}}', 'x'],
    ['{{a.list | last}}', { y: null }],
    ['{{a.list | join(", ")}}', 'x, 2, {"y":null}'],
    ['{{a.empty | first ?? "no item"}}', 'no item'],
    ['{{a.nothing | upper ?? "nothing"}}', 'nothing'],
    ['{{a.missing ?? " x " | trim}}', 'x'],
    ['{{a.time | date("YYYY-MM-DD")}}', '2024-03-01'],
    ['{{a.time | date("DD.MM.YYYY [at] HH:mm:ss.SSS")}}', '01.03.2024 at 01:30:00.250'],
    ['{{a.ms | date("YYYYMMDD")}}', '19700101'],
  ])('%s', (text, value) => {
    expect(resolve(text)).toEqual(value);
  });

  test('length counts characters, and not the halves of pairs', () => {
    expect(resolveTemplates('{{a | length}}', () => 'a😀')).toBe(2);
  });

  test.each([
    ['{{a.missing | upper}}', /there is no "missing"/],
    ['{{a.list | upper}}', /upper takes a text, it is a list/],
    ['{{a.n | first}}', /first takes a list, it is number/],
    ['{{a.text | date("YYYY")}}', /date takes a time of ISO 8601 or milliseconds/],
    ['{{a.text | date("YYYY") ?? ""}}', /date takes a time/],
    ['{{a.empty | last}}', /no last item in an empty list/],
    ['{{a.missing ?? a.other}}', /there is no "other"/],
  ])('%s is an error', (text, message) => {
    expect(() => resolve(text)).toThrow(message);
  });

  test.each(['2023-02-29', '2024-13-01', '24:00', '2024-01-01T25:00Z', 'yesterday'])(
    '%s is no date',
    (time) => {
      expect(() => resolveTemplates('{{a | date("DD")}}', () => time)).toThrow(/takes a time/);
    },
  );

  test('dates agree with the runtime', () => {
    const time = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(time, (date) => {
        const read = resolveTemplates('{{a|date("YYYY-MM-DD[T]HH:mm:ss.SSS[Z]")}}', () => date.toISOString());
        expect(read).toBe(date.toISOString());
      }),
    );
  });

  test.each([
    '{{a | eval}}',
    '{{a | join}}',
    '{{a | upper("x")}}',
    '{{a | join(b)}}',
    '{{a ?? }}',
    '{{"a"}}',
    '{{a ?? 1e999}}',
    `{{a ?? ${'1'.repeat(1_001)}}}`,
    '{{a["b] }}',
    '{{a | join("}}") | nothing}}',
  ])('%s is no expression, and stands out', (text) => {
    expect(parseTemplate(text)).toEqual([text]);
    expect(findStrayBraces(text)).toEqual([text]);
  });

  test('names every reference, and which may be absent', () => {
    const [parsed] = parseTemplate('{{a.b ?? c | upper ?? d.e}}') as [TemplateExpression];
    expect(referencesOf(parsed).map(({ root, isOptional }) => [root, isOptional])).toEqual([
      ['a', true],
      ['c', true],
      ['d', undefined],
    ]);
  });

  test('takes and gives a bounded length, and counts what it reads', () => {
    const long: TemplateScope = () => 'x'.repeat(1_048_577);
    expect(() => resolveTemplates('{{a | length ?? 1}}', long)).toThrow(/at most 1048576 characters/);
    const list: TemplateScope = () => Array(20_000).fill('');
    expect(() => resolveTemplates(`{{a | join("${'-'.repeat(100)}")}}`, list)).toThrow(/at most 1048576/);
    const text: TemplateScope = () => 'x'.repeat(1_000);
    const often = '{{a | length}}'.repeat(11);
    expect(() => resolveTemplates(often, text, 10_000)).toThrow(/too long/);
    expect(resolvedLength(often, text, 10_000).error?.message).toMatch(/too long/);
  });

  test('the estimate of a length holds for names and functions, too', () => {
    const value = { '{{a.text}}': ['{{a.list | json}}', '{{a.missing ?? "none"}}'] };
    const { length } = resolvedLength(value, scope);
    expect(length).toBeGreaterThanOrEqual(JSON.stringify(resolve(value)).length);
  });

  test('time stays in proportion to the length of a hostile text', () => {
    const pieces = ['{{a ?? "', "{{a['", '{{a["', '{{a|join("', '{{a ?? \' ?? " ?? \' ?? "', '{{a ?? 1 '];
    for (const piece of pieces) withHangLimit(() => parseTemplate(piece.repeat(50_000)));
  });
});

describe('conditions', () => {
  test.each([
    ['{{a.nothing ?? 0}} < 5', true],
    ['{{a.list | length}} == 3 && {{a["b}}"]}} == "braces"', true],
    ['{{a.empty | first}} == null', true],
    ['"a\\nb" == "a\\u000ab"', true],
    ['"\\q\\"" == \'q"\'', true],
  ])('%s is %s', (source, expected) => {
    expect(holds(source, scope)).toBe(expected);
  });

  test('a function that does not take its value is an error', () => {
    expect(() => holds('{{a.list | upper}} == null', scope)).toThrow(/upper takes a text/);
  });
});

test('a function shows no credential in a question', () => {
  const secrets: TemplateScope = () => ({ password: 'hunter22', user: 'ann' });
  const hidden = { isCredential: (name: string) => name === 'password', args: {} };
  expect(fillMessage('{{a | json}}', secrets, hidden)).not.toContain('hunter22');
  expect(fillMessage('{{a.password ?? "x" | upper}}', secrets, hidden)).toBe('[hidden]');
  expect(fillMessage('{{a.b ?? "none"}} {{a | length}}', scope, hidden)).toContain('none');
});
