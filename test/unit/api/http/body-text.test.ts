import { decodeBody, parseBody } from '../../../../api/http/middleware/json-body';

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

test.each([
  ['application/json', Buffer.from('"é😀"'), '"é😀"'],
  ['application/json', Buffer.from('\ufeff{}'), '{}'],
  ['application/json; charset=UTF-8', Buffer.from('é'), 'é'],
  ['application/json;charset="iso-8859-1"', Buffer.from('é', 'latin1'), 'é'],
  ['application/json; charset=windows-1252', Buffer.from([0x80, 0x93, 0xe9]), '€“é'],
  ['application/json; Charset=iso-8859-15; x=y', Buffer.from([0xa4]), '€'],
  ['application/json; charset=utf-16', Buffer.from('\ufeffé', 'utf16le'), 'é'],
  ['application/json; charset=utf-16', utf16be('\ufeffé'), 'é'],
  ['application/json; charset=utf-16be', utf16be('é'), 'é'],
  ['application/json; charset=shift_jis', Buffer.from([0x93, 0xfa]), '日'],
])('%s is decoded', (type, bytes, text) => {
  expect(decodeBody(bytes, type)).toBe(text);
});

test.each([
  ['application/json', Buffer.from([0x63, 0xe9])],
  ['application/json', Buffer.from([0xed, 0xa0, 0xbd])],
  ['application/json; charset=utf-8', Buffer.from([0xff, 0xfe, 0x7b, 0])],
  ['application/json; charset=utf-16le', Buffer.from('\ud83d', 'utf16le')],
])('bytes that are not %s are malformed', (type, bytes) => {
  expect(() => decodeBody(bytes, type)).toThrow(/is not text in utf-/);
});

test.each(['utf-32', 'klingon', ''])('the charset "%s" is not supported', (charset) => {
  const decode = (): string => decodeBody(Buffer.from('{}'), `application/json; charset=${charset}`);
  expect(decode).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_MEDIA_TYPE' }));
});

test.each([
  ['{"a":1e400}', 'MALFORMED_JSON', 'body', /1e400 at line 1, column 6/],
  ['"a"', 'MALFORMED_JSON', 'body', /must be an object or a list/],
  ['{"a":', 'MALFORMED_JSON', 'body', /not acceptable JSON/],
  [`{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'MALFORMED_JSON', 'body', /deeper than 100 levels/],
  [String.raw`{"a":[{"b c":"\ud83d"}]}`, 'VALIDATION', 'a[0].b c', /no lone surrogates/],
  [String.raw`["\ud83d"]`, 'VALIDATION', '[0]', /no lone surrogates/],
  ['{"__proto__":1}', 'MALFORMED_JSON', 'body', /__proto__/],
])('%.40s is refused', (text, code, field, message) => {
  expect(() => parseBody(text)).toThrow(
    expect.objectContaining({
      code,
      message: expect.stringMatching(message),
      details: expect.objectContaining({ field }),
    }),
  );
});

test('an empty body is an object without fields', () => {
  expect(parseBody('')).toEqual({});
});
