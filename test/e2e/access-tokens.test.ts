import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer, runKeys, type Key } from '../support/keys';
import { type Answer, send } from '../support/http';
import { spawnPart } from '../support/process';
import { isolatedSettings, type Service, startService } from '../support/service';
import { makeTempDir, type TempDir } from '../support/temp-dir';
import {
  AUDIENCE,
  confusedToken,
  ISSUER,
  type KeySetServer,
  makeSigningKey,
  serveKeySet,
  unsignedToken,
} from '../support/tokens';

const METADATA = '/.well-known/oauth-protected-resource';
const key = makeSigningKey('one');
const stranger = makeSigningKey('one');
const now = (): number => Math.floor(Date.now() / 1_000);
const toolsOf = (service: Service, token: string): Promise<Answer> =>
  send('GET', `${service.url}/api/tools`, undefined, bearer(token));

describe.each(['a key set', 'a key file'])('tokens that %s verifies', (source) => {
  let folder: TempDir;
  let keySet: KeySetServer;
  let service: Service;
  beforeAll(async () => {
    folder = makeTempDir();
    keySet = await serveKeySet([makeSigningKey('other'), key]);
    const file = join(folder.path, 'key.pem');
    writeFileSync(file, key.publicKey.export({ type: 'spki', format: 'pem' }));
    service = await startService({
      AUTH: 'keys, jwt',
      JWT_ISSUER: ISSUER,
      JWT_AUDIENCE: AUDIENCE,
      ...(source === 'a key set' ? { JWT_JWKS_URL: keySet.url } : { JWT_KEY_FILE: file }),
    });
  });
  afterAll(async () => {
    await service.stop();
    await keySet.close();
    folder.remove();
  });

  it.each([
    ['a text', { scope: 'openid read profile' }, 200],
    ['a list', { scope: ['read', 'run'] }, 200],
    ['without the scope that is needed', { scope: 'run' }, 403],
    ['with scopes of other services alone', { scope: 'openid readall' }, 403],
    ['absent', { scope: undefined }, 403],
    ['of another form', { scope: { read: true } }, 403],
  ])('have the scopes of their claim: %s', async (_, claims, status) => {
    expect((await toolsOf(service, key.token(claims))).status).toBe(status);
  });

  it.each([
    ['that expired', () => key.token({ exp: now() - 60 })],
    ['that are not valid yet', () => key.token({ nbf: now() + 600 })],
    ['without an end', () => key.token({ exp: undefined })],
    ['without a subject', () => key.token({ sub: undefined })],
    ['of another issuer', () => key.token({ iss: 'https://evil.example' })],
    ['for another audience', () => key.token({ aud: 'somebody-else' })],
    ['signed with another key', () => stranger.token()],
    [
      'whose claims were changed',
      () => key.token().replace(/\.[\w-]+\./, `.${stranger.token({ scope: 'admin' }).split('.')[1]}.`),
    ],
    ['without a signature', unsignedToken],
    ['signed with the public key as a secret', () => confusedToken(key)],
    ['that are no tokens', () => 'not.a.token'],
  ])('are refused %s', async (_, token) => {
    const answer = await toolsOf(service, token());
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer error="invalid_token", resource_metadata="${service.url}${METADATA}/mcp"`,
    ]);
  });

  it('have their issuer named to clients, also to pages of other origins', async () => {
    const refused = await send('POST', `${service.url}/mcp`, {});
    const challenge = `Bearer resource_metadata="${service.url}${METADATA}/mcp"`;
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, challenge]);
    const page = { origin: 'https://elsewhere.example' };
    for (const path of ['', '/mcp']) {
      const found = await send('GET', `${service.url}${METADATA}${path}`, undefined, page);
      expect([found.status, found.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(found.body).toMatchObject({
        resource: `${service.url}${path}`,
        authorization_servers: [ISSUER],
        bearer_methods_supported: ['header'],
        scopes_supported: ['read', 'run', 'memory'],
      });
    }
    const asked = { ...page, 'access-control-request-method': 'GET' };
    const allowed = { ...asked, 'access-control-request-headers': 'mcp-protocol-version' };
    const preflight = await send('OPTIONS', `${service.url}${METADATA}/mcp`, undefined, allowed);
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'mcp-protocol-version',
    ]);
  });

  it('are taken for several audiences, and run tools', async () => {
    const token = key.token({ aud: ['other', AUDIENCE], scope: 'run' });
    const body = { toolName: 'calculator', args: { operation: 'add', a: 1, b: 1 } };
    const answer = await send('POST', `${service.url}/api/tools/execute`, body, bearer(token));
    expect([answer.status, answer.body.data.result]).toEqual([200, 2]);
    expect(JSON.stringify(service.process.lines)).not.toContain('"ada"');
  });

  it('are taken where they do not name their key, and others of the issuer are of the same kind', async () => {
    expect((await toolsOf(service, key.token({}, false))).status).toBe(200);
    expect((await toolsOf(service, stranger.token({}, false))).status).toBe(401);
  });

  it('are taken when they are new, however many others of the same address were refused', async () => {
    for (let times = 0; times < 40; times += 1)
      expect((await toolsOf(service, `not.a.token${times}`)).status).toBe(401);
    expect((await toolsOf(service, key.token({ jti: 'new' }))).status).toBe(200);
  });

  it('are taken beside keys', async () => {
    const issued = await runKeys<Key>(service.dataDir, 'create', '--name', 'a', '--scopes', 'read');
    expect((await toolsOf(service, issued.key)).status).toBe(200);
  });
});

describe('tokens with a tenant and a user', () => {
  let keySet: KeySetServer;
  let service: Service;
  beforeAll(async () => {
    keySet = await serveKeySet([key]);
    service = await startService({
      AUTH: 'jwt',
      JWT_ISSUER: ISSUER,
      JWT_AUDIENCE: AUDIENCE,
      JWT_JWKS_URL: keySet.url,
      JWT_TENANT_CLAIM: 'org',
      JWT_USER_CLAIM: 'sub',
      PUBLIC_URL: 'https://holdfast.example/',
    });
  });
  afterAll(async () => {
    await service.stop();
    await keySet.close();
  });

  const tokenOf = (org: unknown, sub = 'ann'): string => key.token({ org, sub, scope: 'memory' });
  const statsOf = (token: string, userId: string): Promise<Answer> =>
    send('GET', `${service.url}/api/memory/stats/${userId}`, undefined, bearer(token));

  it('have their issuer named under the public address', async () => {
    const answer = await send('GET', `${service.url}/api/tools`);
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="https://holdfast.example${METADATA}/mcp"`,
    );
    const found = await send('GET', `${service.url}${METADATA}/mcp`);
    expect(found.body.resource).toBe('https://holdfast.example/mcp');
  });

  it('name their user alone, in their tenant', async () => {
    const body = { userId: 'ann', sessionId: 's', content: 'an event' };
    const path = `${service.url}/api/memory/episodic`;
    expect((await send('POST', path, body, bearer(tokenOf('acme')))).status).toBe(201);
    const [own, other, elsewhere] = await Promise.all([
      statsOf(tokenOf('acme'), 'ann'),
      statsOf(tokenOf('acme'), 'bob'),
      statsOf(tokenOf('globex'), 'ann'),
    ]);
    expect([own.body.data.episodic.count, other.status]).toEqual([1, 403]);
    expect(elsewhere.body.data.episodic.count).toBe(0);
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['no name of a tenant', '../acme'],
    ['in capitals', 'ACME'],
    ['a list', ['acme']],
    ['a number', 1],
  ])('are refused where the tenant is %s', async (_, org) => {
    expect((await statsOf(tokenOf(org), 'ann')).status).toBe(401);
  });
});

test('a key set that cannot be read is a 503, and is read again', async () => {
  const keySet = await serveKeySet([key]);
  keySet.works = false;
  const env = { AUTH: 'jwt', JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE, JWT_JWKS_URL: keySet.url };
  const service = await startService({ ...env, JWT_SCOPES_CLAIM: 'roles' });
  try {
    const token = key.token({ roles: ['read'] });
    const away = await toolsOf(service, token);
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1']);
    keySet.works = true;
    expect((await toolsOf(service, token)).status).toBe(200);
    // A key is no token, and the claim of other settings has no scopes.
    expect((await toolsOf(service, `hfast_0123456789abcdef_${'A'.repeat(43)}`)).status).toBe(401);
    expect((await toolsOf(service, key.token({ scope: 'read' }))).status).toBe(403);
    expect((await send('GET', `${service.url}/api/keys`, undefined, bearer(token))).status).toBe(404);
    const self = await send('GET', `${service.url}/api/keys/self`, undefined, bearer(token));
    expect(self.body.data).toMatchObject({ auth: 'jwt', tenant: 'default' });
  } finally {
    await service.stop();
    await keySet.close();
  }
});

test.each([
  ['without an issuer', { JWT_AUDIENCE: AUDIENCE, JWT_JWKS_URL: 'http://127.0.0.1/keys' }, 'JWT_ISSUER'],
  ['without a key', { JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE }, 'JWT_JWKS_URL or JWT_KEY_FILE'],
  [
    'with a file that is none',
    { JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE, JWT_KEY_FILE: '/nowhere/key.pem' },
    'JWT_KEY_FILE cannot be used',
  ],
])('jwt %s ends the start with one line', async (_, env: Record<string, string>, message) => {
  const dir = makeTempDir();
  const process = spawnPart('start', { ...isolatedSettings(dir.path), AUTH: 'jwt', ...env });
  expect(await process.exited).toBe(1);
  expect(process.output()).toContain(message);
  expect(process.output().trim().split('\n')).toHaveLength(1);
  dir.remove();
});
