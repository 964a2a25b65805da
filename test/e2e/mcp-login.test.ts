import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { type AuthorizationServer, logIn, startAuthorizationServer } from '../support/authorization-server';
import { historyTexts } from '../support/history-texts';
import { type Answer, request } from '../support/http';
import { type PartProcess, spawnPart } from '../support/process';
import { type ProtectedMcp, startProtectedMcp } from '../support/protected-mcp';
import { type Api, openStage, type Stage } from '../support/stage';
import { makeTempDir } from '../support/temp-dir';
import { waitFor } from '../support/wait';

const PATH = '/api/mcp-servers/oauth/callback';
const SHOP = '/api/mcp-servers/shop';

let stage: Stage;
let by: AuthorizationServer;
let shop: ProtectedMcp;
let api: Api;
let other: Api;
let workers: PartProcess[];
let callback: string;
const runs: string[] = [];
/** Addresses with codes and states. */
const addresses: string[] = [];

beforeAll(async () => {
  stage = await openStage();
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  callback = publicUrl + PATH;
  by = await startAuthorizationServer(callback);
  shop = await startProtectedMcp(by);
  const started = await Promise.all([
    stage.api({ PORT: String(port), PUBLIC_URL: `${publicUrl}/`, LOG_LEVEL: 'debug' }),
    stage.api({ PUBLIC_URL: publicUrl, LOG_LEVEL: 'debug' }),
    stage.worker({ LOG_LEVEL: 'debug' }),
    stage.worker({ LOG_LEVEL: 'debug' }),
  ]);
  [api, other] = started;
  workers = started.slice(2) as PartProcess[];
});
afterAll(async () => {
  await stage.close();
  await shop.close();
  await by.close();
});

const add = (auth: object = {}, name = 'shop'): Promise<Answer> =>
  api.post('/api/mcp-servers', { name, url: shop.url, auth: { type: 'oauth', ...auth } });
async function begin(name = 'shop'): Promise<string> {
  const { status, body } = await api.post(`/api/mcp-servers/${name}/login`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data.authorizationUrl as string;
}
/** Logs in, and returns the address at which the browser comes back. */
async function comeBack(name = 'shop', choice?: 'refuse'): Promise<string> {
  const address = await logIn(await begin(name), callback, choice);
  addresses.push(address);
  return address;
}
const finish = async (name = 'shop') => request(await comeBack(name));
const find = async (from: Api = api): Promise<Answer> => {
  const answer = await from.post('/api/tools/execute', { toolName: 'shop.find', args: {} });
  runs.push(answer.headers.get('x-workflow-id') ?? '');
  return answer;
};
const view = async () => (await api.get(SHOP)).body.data;
const textsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'));
const renewals = (): number => by.grants.filter((type) => type === 'refresh_token').length;

test('a server that asks for a login is added only with auth, and then waits for the login', async () => {
  const without = await api.post('/api/mcp-servers', { name: 'shop', url: shop.url });
  expect([without.status, without.body.message]).toEqual([409, 'MCP server needs a login']);
  expect(without.body.error).toContain('add it with "auth"');
  const added = await add();
  expect([added.status, added.body.data]).toMatchObject([
    201,
    { auth: { type: 'oauth' }, login: 'required', tools: [] },
  ]);
  expect((await find()).status).toBe(404);
});

test('a person logs in, any API finishes that, and workers call the tools', async () => {
  const url = new URL(await begin());
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: callback,
    resource: shop.url,
    scope: 'shop offline_access',
  });
  const address = (await comeBack()).replace(callback, other.url + PATH);
  // Programs that show what is behind an address ask by HEAD, which must not use the login up.
  expect((await request(address, { method: 'HEAD' })).status).toBe(200);
  const page = await request(address);
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.text).toContain('2 of its tools are in use');
  expect(await view()).toMatchObject({ login: 'done', tools: [{ tool: 'find' }, { tool: 'buy' }] });
  const found = await find();
  expect([found.status, found.body.data.result]).toEqual([200, { items: ['tea'] }]);
  expect(await by.introspect(shop.token())).toMatchObject({ active: true, aud: shop.url, sub: 'ann' });
});

test.each([
  ['that was used', () => addresses.at(-1)!],
  ['that was changed', () => addresses.at(-1)!.replace(/state=../, 'state=AA')],
  ['that is missing', () => `${callback}?code=abc`],
])('a state %s is refused, and nothing happens', async (_, address) => {
  const before = by.grants.length;
  const page = await request(address());
  expect([page.status, page.text]).toEqual([400, expect.stringContaining('This login cannot be finished')]);
  expect([by.grants.length, (await view()).login]).toEqual([before, 'done']);
});

test('a login that was begun later takes the place of an earlier one', async () => {
  const [earlier, later] = [await comeBack(), await comeBack()];
  expect((await request(earlier)).status).toBe(400);
  expect((await request(later)).status).toBe(200);
});

test('an answer that claims to be of another issuer is refused before its code is used', async () => {
  const before = by.grants.length;
  const address = new URL(await comeBack());
  address.searchParams.set('iss', 'https://evil.example');
  const page = await request(address.href);
  expect([page.status, by.grants.length]).toEqual([400, before]);
  expect(page.text).toContain('iss');
  expect(await view()).toMatchObject({ login: 'done', loginFailure: { reason: expect.any(String) } });
});

test('two workers and many calls renew a token once', async () => {
  await by.set({ lifetime: 4 });
  expect((await finish()).status).toBe(200);
  const token = shop.token();
  await waitFor(async () => !(await by.introspect(token)).active, { what: 'the token to expire' });
  // The next one lasts, so that no call needs another.
  await by.set({ lifetime: 3_600 });
  const before = renewals();
  const found = await Promise.all(Array.from({ length: 8 }, (_, n) => find(n % 2 === 0 ? api : other)));
  expect(found.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect([renewals() - before, by.refusals]).toEqual([1, []]);
  expect(shop.token()).not.toBe(token);
});

test('a token that the server refuses is renewed, and the call is made', async () => {
  const before = renewals();
  shop.refused.add(shop.token());
  const { status, body } = await api.post('/api/tools/execute', { toolName: 'shop.buy', args: {} });
  expect([status, body.data.result]).toEqual([200, { number: 7 }]);
  expect(renewals() - before).toBe(1);
});

test('a renewal that is refused needs a new login, and changes no tool', async () => {
  await by.set({ locked: true });
  shop.refused.add(shop.token());
  const failed = await find();
  expect([failed.status, failed.body.message]).toEqual([409, 'MCP server needs a login']);
  expect(failed.body.error).toMatch(/POST \/api\/mcp-servers\/shop\/login.*invalid_grant/);
  expect((await find(other)).status).toBe(409);
  expect(await view()).toMatchObject({ login: 'expired', loginFailure: { reason: expect.any(String) } });
  await by.set({ locked: false });
  shop.tools.set('sell', {});
  expect((await finish()).text).toContain('1 new or changed tools wait');
  expect((await view()).tools).toHaveLength(2);
  expect((await find()).status).toBe(200);
});

test('a refusal by the person is shown and noted', async () => {
  const page = await request(await comeBack('shop', 'refuse'));
  expect([page.status, page.text]).toEqual([403, expect.stringContaining('access_denied')]);
  expect((await view()).loginFailure.reason).toContain('access_denied');
});

test('a client that was given is used, and its secret is in no answer', async () => {
  const added = await add({ clientId: 'given', clientSecret: by.secret, scope: 'shop' }, 'given');
  expect(added.body.data.auth).toEqual({ type: 'oauth', clientId: 'given', scope: 'shop' });
  expect(new URL(await begin('given')).searchParams.get('client_id')).toBe('given');
  expect((await finish('given')).status).toBe(200);
  expect((await api.get('/api/mcp-servers')).text).not.toContain(by.secret);
});

test('a server of the revision of 2025 has the token in each request of its session', async () => {
  const old = await startProtectedMcp(by, 'legacy');
  try {
    await api.post('/api/mcp-servers', { name: 'old', url: old.url, auth: { type: 'oauth' } });
    expect((await finish('old')).status).toBe(200);
    const { status, body } = await api.post('/api/tools/execute', { toolName: 'old.find', args: {} });
    expect([status, body.data.result]).toEqual([200, { items: ['tea'] }]);
    await waitFor(() => old.methods.at(-1) === 'DELETE', { what: 'the end of the session' });
    expect((await by.introspect(old.token())).aud).toBe(old.url);
    // It has not answered any request without a token.
    expect(old.methods.slice(-5)).toEqual(
      expect.arrayContaining(['initialize', 'GET', 'tools/call', 'DELETE']),
    );
  } finally {
    await old.close();
  }
});

test.each(['https://169.254.169.254', 'http://10.0.0.1:9'])(
  'an authorization server at %s is not asked',
  async (address) => {
    shop.authorizationServer = address;
    const { status, body } = await api.post(`${SHOP}/login`);
    shop.authorizationServer = by.issuer;
    expect([status, body.message]).toEqual([502, 'MCP server unavailable']);
    expect(body.error).toMatch(/The login at "shop" cannot be begun: .*(refused|not allowed|link-local)/i);
  },
);

test('the metadata of a server are found at their usual address where its refusals name none', async () => {
  shop.silent = true;
  const url = new URL(await begin());
  shop.silent = false;
  expect([url.origin, url.searchParams.get('resource')]).toEqual([by.issuer, shop.url]);
});

test('a server that is removed takes its login with it, also where it is added again', async () => {
  const address = await comeBack();
  expect((await api.send('DELETE', SHOP)).status).toBe(200);
  expect((await request(address)).status).toBe(404);
  expect((await add()).body.data.login).toBe('required');
  expect((await request(address)).status).toBe(404);
  expect((await finish()).status).toBe(200);
});

test('no token, code, state, verifier or secret is in a history, a log, the data or a backup in clear', async () => {
  const folder = makeTempDir();
  const copy = join(folder.path, 'backup');
  const backup = spawnPart('backup', stage.settings, { args: [copy] });
  expect([await backup.exited, backup.output()]).toEqual([0, '']);
  const secrets = [...by.issued, by.secret, ...addresses.map((at) => new URL(at).searchParams.get('state')!)];
  expect(secrets.length).toBeGreaterThan(20);
  const histories = await Promise.all(runs.filter(Boolean).map((id) => historyTexts(stage.client, id)));
  const logs = [api.process, other.process, ...workers].map(
    ({ lines, output }) => JSON.stringify(lines) + output(),
  );
  const files = [stage.dataDir, copy].flatMap(textsIn);
  folder.remove();
  // The places are those where the texts would be.
  expect([files.join('').includes('mcp-logins'), histories.join('').includes('shop.find')]).toEqual([
    true,
    true,
  ]);
  const places = [...histories, ...logs, ...files, (await api.get(SHOP)).text];
  expect(places.length).toBeGreaterThan(15);
  for (const text of places) expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test('without PUBLIC_URL a login is refused, and says what to set', async () => {
  const bare = await stage.api();
  const { status, body } = await bare.post(`${SHOP}/login`);
  expect([status, body.error]).toEqual([403, expect.stringContaining('PUBLIC_URL')]);
});
