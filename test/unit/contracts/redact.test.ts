import { redact } from '../../../src/contracts/redact';

test('redact hides by name, at any depth, and changes nothing else', () => {
  expect(
    redact({
      url: 'u',
      headers: { Authorization: 'x', Cookie: 'y', accept: 'z' },
      list: [{ api_key: 1 }],
      token: 't',
    }),
  ).toEqual({
    url: 'u',
    headers: { Authorization: '[hidden]', Cookie: '[hidden]', accept: 'z' },
    list: [{ api_key: '[hidden]' }],
    token: '[hidden]',
  });
});

test('redact takes queries and passwords out of addresses', () => {
  expect(redact({ url: 'https://a.b/c?api_key=1#x', text: 'see http://u:p@h/ and http://h/p' })).toEqual({
    url: 'https://a.b/c',
    text: 'see http://h/ and http://h/p',
  });
});
