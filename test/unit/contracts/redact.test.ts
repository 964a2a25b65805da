import { redactedJson, stripUrls } from '../../../src/contracts/redact';

test('a summary hides by name, at any depth, and changes nothing else', () => {
  const value = {
    url: 'u',
    headers: { Authorization: 'x', Cookie: 'y', accept: 'z' },
    list: [{ api_key: 1 }],
    token: 't',
    maxTokens: 5,
  };
  expect(JSON.parse(redactedJson(value, 1_000))).toEqual({
    url: 'u',
    headers: { Authorization: '[hidden]', Cookie: '[hidden]', accept: 'z' },
    list: [{ api_key: '[hidden]' }],
    token: '[hidden]',
    maxTokens: 5,
  });
});

test.each([
  ['https://a.b/c?api_key=1#x', 'https://a.b/c'],
  ['see http://u:p@h/ and http://h/p', 'see http://h/ and http://h/p'],
])('%s loses queries and passwords', (text, stripped) => {
  expect(stripUrls(text)).toBe(stripped);
});
