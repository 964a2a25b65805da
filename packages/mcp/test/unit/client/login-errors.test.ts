import { OAuthError } from '@modelcontextprotocol/client';
import { toolError } from '../../../../../src/base/errors';
import { describeLoginFailure, readChallenge } from '../../../client/login/login-errors';
import { checkLoginAddress } from '../../../client/login/login-fetch';

const refused = (code: string) => new OAuthError(code, 'the refresh token abc123 is not known');

test.each([
  [refused('invalid_grant'), 'the authorization server answered invalid_grant', true],
  [refused('server_error'), 'the authorization server answered server_error', false],
  [refused('bad "code"\n'), 'the authorization server answered a malformed error', true],
  [new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }), 'connection refused', false],
  [new TypeError('fetch failed', { cause: toolError('Request refused: no') }), 'Request refused: no', false],
  [new DOMException('late', 'TimeoutError'), 'the authorization server did not answer in time', false],
  [
    new SyntaxError('Unexpected token "abc123"'),
    'the answer of the authorization server is not as the protocol says',
    false,
  ],
])('%s is described without what was sent', (error, description, isRefused) => {
  expect(describeLoginFailure(error)).toMatchObject({ description, refused: isRefused });
});

test.each([
  ['Bearer', {}],
  ['Bearer scope="a b"', { scope: 'a b' }],
  ['Basic realm="x"', undefined],
  [undefined, undefined],
])('the challenge %s asks for %j', (header, challenge) => {
  const response = new Response(null, { status: 401 });
  if (header !== undefined) response.headers.set('www-authenticate', header);
  expect(readChallenge(response)).toEqual(challenge);
});

test.each([
  ['https://login.example/a', false, true],
  ['http://login.example/a', true, false],
  ['http://127.0.0.1:9/a', true, true],
  ['http://127.0.0.1:9/a', false, false],
  ['javascript:alert(1)', true, false],
])(
  'the address %s of a login, with private ones allowed: %s, is taken: %s',
  (address, isAllowed, isTaken) => {
    const check = () => checkLoginAddress(address, isAllowed);
    if (isTaken) expect(check).not.toThrow();
    else expect(check).toThrow(/refused/i);
  },
);
