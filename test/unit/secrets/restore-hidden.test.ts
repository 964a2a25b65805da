import { createRedactor } from '../../../src/secrets/redactor';
import { restoreHidden } from '../../../src/secrets/restore-hidden';

const redactor = createRedactor();
const restore = (given: object, original: unknown): unknown =>
  restoreHidden(given, original, redactor, 'args');
const H = '[hidden]';

test.each([
  ['beside a changed field', { token: H, page: 2 }, { token: 'a', page: 1 }, { token: 'a', page: 2 }],
  ['beside a field that was removed', { token: H }, { token: 'a', page: 1 }, { token: 'a' }],
  ['for a number', { password: H }, { password: 1234 }, { password: 1234 }],
  [
    'in a changed query',
    { url: `http://h/b?token=${H}&n=2` },
    { url: 'http://h/a?token=x&n=1' },
    { url: 'http://h/b?token=x&n=2' },
  ],
  [
    'in a URL that was built anew',
    { url: 'http://h/?token=%5Bhidden%5D' },
    { url: 'http://h/?token=x' },
    { url: 'http://h/?token=x' },
  ],
  [
    'in a changed text of JSON',
    { body: `{"n":2,"token":"${H}"}` },
    { body: '{"token":"x","n":1}' },
    { body: '{"n":2,"token":"x"}' },
  ],
  [
    'for both of two alike',
    { body: `token=${H}&token=${H}&n=2` },
    { body: 'token=x&token=y&n=1' },
    { body: 'token=x&token=y&n=2' },
  ],
  [
    'in an item that moved',
    [
      { user: 'b', pwd: H },
      { user: 'a', pwd: H },
    ],
    [
      { user: 'a', pwd: '1' },
      { user: 'b', pwd: '2' },
    ],
    [
      { user: 'b', pwd: '2' },
      { user: 'a', pwd: '1' },
    ],
  ],
  [
    'in an item whose neighbour was removed',
    [{ user: 'b', pwd: H }],
    [
      { user: 'a', pwd: '1' },
      { user: 'b', pwd: '2' },
    ],
    [{ user: 'b', pwd: '2' }],
  ],
  [
    'in a changed item in its place',
    [{ user: 'a', n: 2, pwd: H }, { user: 'b' }],
    [{ user: 'a', n: 1, pwd: '1' }, { user: 'c' }],
    [{ user: 'a', n: 2, pwd: '1' }, { user: 'b' }],
  ],
  [
    'where the original is the mark itself',
    { note: H, token: H },
    { note: H, token: H },
    { note: H, token: H },
  ],
])('a mark stands for the original %s', (_where, given, original, restored) => {
  expect(restore({ a: given }, { a: original })).toEqual({ a: restored });
});

test.each([
  ['a field without a credential', { note: H }, { note: 'a', token: 'b' }, 'args.a.note'],
  ['a field that was not there', { token: H }, { page: 1 }, 'args.a.token'],
  ['a flag', { token: H }, { token: true }, 'args.a.token'],
  [
    'a part of a value in a text',
    { url: `http://h/?token=a${H}` },
    { url: 'http://h/?token=x' },
    'args.a.url',
  ],
  ['a part of a credential', { token: `Bearer ${H}` }, { token: 'Bearer x' }, 'args.a.token'],
  [
    'the name of a field that is inherited',
    JSON.parse(`{"constructor":"${H}"}`) as object,
    {},
    'args.a.constructor',
  ],
  [
    'a text without a credential',
    { url: `http://h/${H}?token=x` },
    { url: 'http://h/?token=x' },
    'args.a.url',
  ],
  ['one of two that differ', { body: `token=${H}` }, { body: 'token=x&token=y' }, 'args.a.body'],
  ['an item of a shorter list of alike ones', { secrets: [H] }, { secrets: ['x', 'y'] }, 'args.a.secrets[0]'],
  [
    'a changed item of a list that moved',
    [{ user: 'c', pwd: H }],
    [
      { user: 'a', pwd: '1' },
      { user: 'b', pwd: '2' },
    ],
    'args.a[0]',
  ],
  [
    'a header of another name',
    [{ name: 'X-Note', value: H }],
    [{ name: 'Cookie', value: 'x' }],
    'args.a[0].value',
  ],
  [
    'arguments whose length alone was shown',
    { token: H },
    'left out: 20000 characters of JSON',
    'args.a.token',
  ],
])('a mark is refused for %s', (_what, given, original, field) => {
  expect(() => restore({ a: given }, { a: original })).toThrow(
    expect.objectContaining({ code: 'VALIDATION', details: expect.objectContaining({ field }) }),
  );
});

test.each([
  'http://evil.example/',
  'https://h/',
  'http:evil.example',
  ' http:\\\\evil.example\\',
  'see http://evil.example/',
])('a hidden value is not sent to %s instead', (url) => {
  const original = { url: 'http://h/a', headers: { Cookie: 'x' } };
  expect(() => restore({ url, headers: { Cookie: H } }, original)).toThrow(
    'to which no hidden value is sent',
  );
  expect(restore({ url, headers: { Cookie: 'my own' } }, original)).toEqual({
    url,
    headers: { Cookie: 'my own' },
  });
  expect(restore({ url: 'http://h/b', headers: { Cookie: H } }, original)).toMatchObject({
    headers: { Cookie: 'x' },
  });
});
