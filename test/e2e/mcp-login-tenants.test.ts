import { type AuthorizationServer, logIn, startAuthorizationServer } from '../support/authorization-server';
import { type Answer, request, send } from '../support/http';
import { bearer, type Key, runKeys } from '../support/keys';
import { type ProtectedMcp, startProtectedMcp } from '../support/protected-mcp';
import { type Service, startService } from '../support/service';

/** No server is there: a proxy would be. */
const PUBLIC_URL = 'http://127.0.0.1:1';
const PATH = '/api/mcp-servers/oauth/callback';

let service: Service;
let by: AuthorizationServer;
let shop: ProtectedMcp;
let acme: Key;
let globex: Key;

beforeAll(async () => {
  by = await startAuthorizationServer(PUBLIC_URL + PATH);
  [service, shop] = await Promise.all([
    startService({ AUTH: 'keys', EGRESS_ALLOW_PRIVATE: 'true', PUBLIC_URL }),
    startProtectedMcp(by),
  ]);
  const create = (tenant: string, scopes: string) =>
    runKeys<Key>(service.dataDir, 'create', '--name', tenant, '--tenant', tenant, '--scopes', scopes);
  [acme, globex] = await Promise.all([create('acme', 'read,run,tools'), create('globex', 'read,run,tools')]);
  for (const { key } of [acme, globex]) {
    const body = { name: 'shop', url: shop.url, auth: { type: 'oauth' } };
    expect((await as(key, 'POST', '/api/mcp-servers', body)).status).toBe(201);
  }
});
afterAll(async () => {
  await service.stop();
  await shop.close();
  await by.close();
});

const as = (key: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  send(method, service.url + path, body, bearer(key));
async function comeBack({ key }: Key): Promise<URL> {
  const { body } = await as(key, 'POST', '/api/mcp-servers/shop/login');
  const address = await logIn(body.data.authorizationUrl, PUBLIC_URL + PATH);
  return new URL(address.replace(PUBLIC_URL, service.url));
}
const loginOf = async ({ key }: Key) => (await as(key, 'GET', '/api/mcp-servers/shop')).body.data.login;

test('a login is of the tenant that began it, and needs no key in the browser', async () => {
  const page = await request((await comeBack(acme)).href);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('<b>acme</b>')]);
  expect([await loginOf(acme), await loginOf(globex)]).toEqual(['done', 'required']);
  const call = { toolName: 'shop.find', args: {} };
  expect((await as(acme.key, 'POST', '/api/tools/execute', call)).body.data.result).toEqual({
    items: ['tea'],
  });
  expect((await as(globex.key, 'POST', '/api/tools/execute', call)).status).toBe(404);
});

test('the code of one tenant is of no use with the state of another', async () => {
  const [one, other] = [await comeBack(acme), await comeBack(globex)];
  const mixed = new URL(one);
  mixed.searchParams.set('state', other.searchParams.get('state') ?? '');
  const page = await request(mixed.href);
  expect([page.status, await loginOf(globex)]).toEqual([502, 'required']);
  expect(page.text).toContain('invalid_grant');
});

test('a login ends with the key that began it', async () => {
  const address = await comeBack(globex);
  const { body } = await as(globex.key, 'GET', '/api/mcp-servers/shop');
  await runKeys(service.dataDir, 'revoke', globex.id);
  const before = by.grants.length;
  const page = await request(address.href);
  expect([page.status, by.grants.length, body.data.login]).toEqual([400, before, 'required']);
});
