import fc from 'fast-check';
import { HoldfastError } from '../../../src/base/errors';
import { createNameTest } from '../../../src/contracts/credential-names';
import { createRedactor, withoutCredentials } from '../../../src/secrets/redactor';
import { restoreHidden } from '../../../src/secrets/restore-hidden';

const redactor = createRedactor(['X-Account', 'Personal Number']);

test.each(
  ['Authorization', 'proxy-authorization', 'Set-Cookie', 'X-Api-Key', 'api_key', 'apikey', 'APIKey'].concat(
    [
      'password',
      'dbPassword',
      'newpassword',
      'passwd',
      'client_secret',
      'secrets',
      'access_token',
      'refreshToken',
    ],
    [
      'X-Auth-Token',
      'privateKey',
      'aws_secret_access_key',
      'Ocp-Apim-Subscription-Key',
      'credentials',
      'pwd',
    ],
    ['x_account', 'personal-number', 'n'.repeat(2_000)],
  ),
)('a field named %s carries a credential', (name) => {
  expect(redactor.value({ [name]: 'planted' })).toEqual({ [name]: '[hidden]' });
});

test.each(
  [
    'maxTokens',
    'tokens',
    'tokenCount',
    'totalTokens',
    'promptTokens',
    'nextPageToken',
    'page_token',
    'cursor',
  ].concat([
    'secretary',
    'secretId2',
    'authorized',
    'author',
    'key',
    'keyId',
    'passenger',
    'compass',
    'accounts',
    'spin',
  ]),
)('a field named %s carries none', (name) => {
  const value = { [name]: 'planted' };
  expect(redactor.value(value)).toBe(value);
});

test('what is below the name of a credential is struck out, except flags and empty texts', () => {
  const value = {
    credentials: { user: 'a', list: ['b', { c: 'd' }], pin: 1234, active: true, none: null, no: '' },
  };
  expect(redactor.value(value)).toEqual({
    credentials: {
      user: '[hidden]',
      list: ['[hidden]', { c: '[hidden]' }],
      pin: '[hidden]',
      active: true,
      none: null,
      no: '',
    },
  });
  const headers = [
    { name: 'Cookie', value: 'a' },
    { key: 'Accept', value: 'b' },
  ];
  expect(redactor.value(headers)).toEqual([{ name: 'Cookie', value: '[hidden]' }, headers[1]]);
});

test.each([
  ['https://a.b/c?api_key=X&page=2', 'https://a.b/c?api_key=[hidden]&page=2'],
  ['https://a.b/c?n=1&key=X#d', 'https://a.b/c?n=1&key=[hidden]'],
  ['see https://user:X@a.b/c and ftp://X@d', 'see https://[hidden]@a.b/c and ftp://[hidden]@d'],
  ['username=me&password=X', 'username=me&password=[hidden]'],
  ['Server=a;Password=X;Port=1', 'Server=a;Password=[hidden];Port=1'],
  ['{"user":"me","password" : "X\\"X\\\\","n":1}', '{"user":"me","password" : "[hidden]","n":1}'],
  ['{"body":"{\\"token\\":\\"X\\\\\\"X\\",\\"n\\":1}"}', '{"body":"{\\"token\\":\\"[hidden]\\",\\"n\\":1}"}'],
  ["{ password: 'X', n: 1 }", "{ password: '[hidden]', n: 1 }"],
  ['api_call {"headers":{"X-Account":"X…', 'api_call {"headers":{"X-Account":"[hidden]'],
  ['curl -H "Authorization: Bearer X1-XXXXX" a', 'curl -H "Authorization: Bearer [hidden]" a'],
  ['args.password: must be a string', 'args.password: must be a string'],
  ['use basic authentication or a bearer token', 'use basic authentication or a bearer token'],
  ['the token: it is "here"; const a = b', 'the token: it is "here"; const a = b'],
  ['see a@b.example and https://a.b/@c?tokens=5', 'see a@b.example and https://a.b/@c?tokens=5'],
])('the text %s', (text, shown) => {
  expect(redactor.text(text)).toBe(shown);
  expect(redactor.text(shown)).toBe(shown);
  if (text.includes('X') && shown !== text)
    expect(restoreHidden({ a: shown }, { a: text }, redactor, 'args')).toEqual({ a: text });
});

const names = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    'password',
    'X-Api-Key',
    'value',
    'name',
    'url',
    '__proto__',
    'credentials',
    'tokens',
    'key',
  ),
);
const texts = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    'Cookie',
    '[hidden]',
    '',
    'https://u:p@h/?token=a&token=b',
    'a=b&secret=c',
    '{"token":"x\\"y"}',
  ),
  fc.constantFrom(
    'Bearer abc-1234',
    'see http://u@h',
    'password=',
    '{"a":"{\\"pwd\\":\\"x\\"}"}',
    '"token":"x',
  ),
);
const values = fc.letrec((tie) => ({
  one: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('one'), { maxLength: 4 }),
    fc.dictionary(names, tie('one'), { maxKeys: 4 }),
  ),
})).one;

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return 'leaf';
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shapeOf(item)]));
}

test('striking out twice is striking out once, the shape stays, and what comes back unchanged is the original', () => {
  fc.assert(
    fc.property(values, (value) => {
      const shown = redactor.value(value);
      expect(redactor.value(shown)).toEqual(shown);
      expect(shapeOf(shown)).toEqual(shapeOf(value));
      const again = JSON.parse(JSON.stringify(shown)) as unknown;
      expect(restoreHidden(again, value, redactor, 'args')).toEqual(value);
    }),
    { numRuns: 1_000 },
  );
});

test('wide, deep and long values do not stop it, and a long text takes time in proportion', () => {
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`f${at}`, at]));
  expect(redactor.value({ ...wide, password: 'X' }).password).toBe('[hidden]');
  const deep = JSON.parse(`${'['.repeat(5_000)}{"password":"X"}${']'.repeat(5_000)}`) as unknown;
  expect(JSON.stringify(redactor.value(deep))).not.toContain('X');
  expect(() => restoreHidden(deep, [], redactor, 'args')).toThrow('levels deep');
  for (const part of ['a', 'a=', '":', 'token', 'a://', '\\', '"password":"', 'bearer ', 'a@', '['])
    expect(typeof redactor.text(part.repeat(60_000 / part.length))).toBe('string');
});

test('an error says neither what its details name nor what its call had', () => {
  const credentials = redactor.credentialsIn({
    headers: { Authorization: 'Bearer planted-one' },
    body: 'password=planted-two',
  });
  const error = new HoldfastError('TOOL_EXECUTION_FAILED', 'planted-one and planted-two are wrong', {
    details: { answer: ['planted-two'], args: { password: 'x' } },
    retryable: true,
    retryAfterMs: 5,
    cause: new Error('planted-one'),
  });
  const shown = redactor.error(withoutCredentials(error, credentials));
  const { code, message, details, retryable, retryAfterMs, cause } = shown;
  expect({ code, message, details, retryable, retryAfterMs, cause }).toEqual({
    code: 'TOOL_EXECUTION_FAILED',
    message: '[hidden] and [hidden] are wrong',
    details: { answer: ['[hidden]'], args: { password: '[hidden]' } },
    retryable: true,
    retryAfterMs: 5,
    cause: undefined,
  });
  expect(redactor.error(shown)).toBe(shown);
});

test('a setting adds names, which are whole', () => {
  expect(['pin', 'P-I-N', 'spin'].map(createNameTest(['Pin', '-']))).toEqual([true, true, false]);
});
