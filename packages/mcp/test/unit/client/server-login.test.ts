import { createKeepTokens } from '../../../client/login/keep-tokens';
import {
  createLoginDocuments,
  type LoginDocuments,
  putNewLogin,
} from '../../../client/login/login-documents';
import type { LoginFetch } from '../../../client/login/login-fetch';
import { createServerLogin, type ServerLogin } from '../../../client/login/server-login';
import { createSecretBox } from '../../../../../src/secrets/secret-box';
import { testStores } from '../../../../../test/unit/tools/registry-fixtures';

const SERVER = { name: 'shop', id: 'one' };
const PARTY = {
  url: 'https://login.example',
  client: { client_id: 'holdfast' },
  metadata: {
    issuer: 'https://login.example',
    authorization_endpoint: 'https://login.example/auth',
    token_endpoint: 'https://login.example/token',
    response_types_supported: ['code'],
  },
};
const tokensOf = (name: string) => ({
  access_token: name,
  refresh_token: `${name}-next`,
  token_type: 'bearer',
});
const never = new AbortController().signal;

let stores: ReturnType<typeof testStores>;
let documents: LoginDocuments;
let connect: () => ServerLogin;
let login: ServerLogin;
/** What happens while the authorization server is asked. */
let meanwhile: () => Promise<void>;
let answer: () => Response;

beforeEach(async () => {
  stores = testStores();
  const store = stores.connect();
  documents = createLoginDocuments(store, createSecretBox(Buffer.alloc(32, 1)), 'default');
  await store.write([putNewLogin(SERVER)]);
  const keep = createKeepTokens(documents, Date.now);
  await keep(SERVER, PARTY, tokensOf('first'));
  connect = () =>
    createServerLogin({ documents, keep, inBackground: () => undefined, now: Date.now }, SERVER);
  login = connect();
  expect(await login.token(fetch, never)).toBe('first');
});
afterEach(() => stores.dispose());

const fetch: LoginFetch = () => async () => {
  await meanwhile();
  return answer();
};
const personLogsIn = (): Promise<void> =>
  createKeepTokens(documents, Date.now)(SERVER, PARTY, tokensOf('of a person'));
const json = (status: number, body: unknown) => () => Response.json(body, { status });

test.each([
  ['is answered', json(200, tokensOf('renewed'))],
  ['is refused', json(400, { error: 'invalid_grant' })],
  ['fails', json(503, { error: 'temporarily_unavailable' })],
])('a renewal that %s takes nothing from a person who has logged in meanwhile', async (_, answers) => {
  [meanwhile, answer] = [personLogsIn, answers];
  await login.renew(fetch, never).catch(() => undefined);
  expect((await documents.find(SERVER))?.value.state).toBe('done');
  expect(await connect().token(fetch, never)).toBe('of a person');
});

test('a renewal that is refused needs a new login, and one that is answered gives the next token', async () => {
  [meanwhile, answer] = [() => Promise.resolve(), json(200, tokensOf('renewed'))];
  await login.renew(fetch, never);
  expect(await login.token(fetch, never)).toBe('renewed');
  answer = json(400, { error: 'invalid_grant' });
  await expect(login.renew(fetch, never)).rejects.toMatchObject({ code: 'MCP_LOGIN_REQUIRED' });
  expect((await documents.find(SERVER))?.value).toMatchObject({ state: 'expired' });
});
