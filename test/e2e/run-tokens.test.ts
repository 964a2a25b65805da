import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describeWithBrowser, openBrowser } from '../support/browser';
import { calculator } from '../support/calls';
import { openEvents } from '../support/event-stream';
import { type Answer, get } from '../support/http';
import { bearer, type Key, runKeys } from '../support/keys';
import { type Service, startService } from '../support/service';
import { customBody, toolStep } from '../support/workflow-steps';
import { createRunTokens } from '../../src/secrets/signed-texts';

let pages: Server;
let pageUrl: string;
let service: Service;
let admin: Record<string, string>;

beforeAll(async () => {
  pages = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>page'));
  await new Promise<void>((resolve) => void pages.listen(0, '127.0.0.1', resolve));
  pageUrl = `http://localhost:${(pages.address() as AddressInfo).port}`;
  service = await startService({ AUTH: 'keys', CORS_ORIGINS: pageUrl, LOG_LEVEL: 'trace' });
  admin = bearer((await newKey('read,run,memory,admin')).key);
});
afterAll(async () => {
  await service.stop();
  await new Promise((resolve) => {
    pages.close(resolve);
    pages.closeAllConnections();
  });
});

const newKey = (scopes: string, ...more: string[]): Promise<Key> =>
  runKeys<Key>(service.dataDir, 'create', '--name', 'page', '--scopes', scopes, ...more);

async function run(headers = admin): Promise<string> {
  const { status, headers: answered } = await service.post(
    '/api/tools/execute',
    calculator('add', 1, 2),
    headers,
  );
  expect(status).toBe(200);
  return answered.get('x-trace-id')!;
}

async function tokenFor(traceId: string, headers = admin): Promise<string> {
  const { status, body } = await service.post(`/api/runs/${traceId}/token`, undefined, headers);
  expect(status).toBe(200);
  const minutes = (Date.parse(body.data.expiresAt) - Date.now()) / 60_000;
  expect(Math.round(minutes)).toBe(15);
  return String(body.data.token);
}

const read = (traceId: string, token: string): Promise<Answer> =>
  service.get(`/api/runs/${traceId}?token=${token}`);

test('a token reads its run and the events of it, and its answers are kept nowhere', async () => {
  const traceId = await run();
  const token = await tokenFor(traceId, bearer((await newKey('read')).key));
  const found = await read(traceId, token);
  expect([found.status, found.body.data.result.result]).toEqual([200, 3]);
  const page = await get(`${service.url}/api/v1/runs/${traceId}/events?token=${token}`);
  const streamed = await openEvents(`${service.url}/api/runs/${traceId}/events?after=1&token=${token}`);
  expect([page.status, streamed.status]).toEqual([200, 200]);
  expect(await streamed.text()).toContain('event: ');
  for (const { headers } of [found, page, streamed]) {
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
  expect(service.process.output()).not.toContain(token);
});

test('a token is for one run and for reading', async () => {
  const traceId = await run();
  const other = await run();
  const token = await tokenFor(traceId);
  const query = `?token=${token}`;
  for (const [method, path] of [
    ['GET', `/api/runs/${other}${query}`],
    ['GET', `/api/runs/${other}/events${query}`],
    ['GET', `/api/runs/${other}/steps/1${query}`],
    ['GET', `/api/runs/${other}/input${query}`],
    ['GET', `/api/runs/${traceId}/wait${query}`],
    ['GET', `/api/runs${query}`],
    ['POST', `/api/runs/${traceId}/cancel${query}`],
    ['POST', `/api/runs/${traceId}/terminate${query}`],
    ['POST', `/api/runs/${traceId}/token${query}`],
    ['POST', `/api/tools/execute${query}`],
    ['POST', `/mcp${query}`],
  ] as const) {
    const { status } = await service.send(method, path, method === 'GET' ? undefined : {});
    expect([method, path, status]).toEqual([method, path, 401]);
  }
  for (const path of ['input', 'steps/1', 'steps/1/input', 'steps/1/output'])
    expect((await service.get(`/api/runs/${traceId}/${path}${query}`)).status).toBe(200);
  expect((await service.get(`/api/runs/${traceId}`)).status).toBe(401);
  const asKey = await service.send('GET', `/api/runs/${traceId}`, undefined, bearer(token));
  expect(asKey.status).toBe(401);
});

test('a token that was changed, has expired or is of another deployment is refused', async () => {
  const traceId = await run();
  const token = await tokenFor(traceId);
  const [payload = '', signature = ''] = token.split('.');
  const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const forged = Buffer.from(JSON.stringify({ ...content, tenant: 'acme' })).toString('base64url');
  const key = Buffer.from(readFileSync(join(service.dataDir, 'secrets.key'), 'utf8').trim(), 'hex');
  const signedBy = (secret: Buffer, more: object): string =>
    createRunTokens(secret).sign({ ...content, ...more } as never);
  expect((await read(traceId, signedBy(key, {}))).status).toBe(200);
  for (const wrong of [
    ...['', 'x', payload, `${forged}.${signature}`, `${payload}.${signature}x`, `${token}&token=${token}`],
    signedBy(key, { exp: Date.now() - 1_000 }),
    signedBy(key, { by: 'none', key: undefined }),
    signedBy(key, { stamp: undefined }),
    signedBy(Buffer.alloc(32, 1), {}),
  ]) {
    const { status, headers } = await read(traceId, wrong);
    expect([wrong, status]).toEqual([wrong, 401]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
});

test('runs that a caller may not read get no token', async () => {
  const traceId = await run();
  const own = bearer((await newKey('read,run', '--user', 'ada')).key);
  const refused = await service.post(`/api/runs/${traceId}/token`, undefined, own);
  expect(refused.status).toBe(404);
  const ofAda = await run(own);
  expect((await read(ofAda, await tokenFor(ofAda, own))).status).toBe(200);
  const foreign = bearer((await newKey('read', '--tenant', 'acme')).key);
  expect((await service.post(`/api/runs/${traceId}/token`, undefined, foreign)).status).toBe(404);
});

test('a token ends with the key that made it, also in the middle of a stream', async () => {
  const traceId = await run();
  const [revoked, rotated] = [await newKey('read'), await newKey('read')];
  const tokens = [await tokenFor(traceId, bearer(revoked.key)), await tokenFor(traceId, bearer(rotated.key))];
  for (const token of tokens) expect((await read(traceId, token)).status).toBe(200);
  const started = await service.post(
    '/api/tools/execute',
    { ...calculator('add', 1, 2), options: { approval: { tools: 'all' } } },
    admin,
  );
  const waiting = String(started.body.data.traceId);
  const followed = await tokenFor(waiting, bearer(revoked.key));
  const stream = await openEvents(`${service.url}/api/runs/${waiting}/events?token=${followed}`);
  expect([started.status, stream.status]).toEqual([202, 200]);
  await runKeys(service.dataDir, 'revoke', revoked.id);
  await runKeys(service.dataDir, 'rotate', rotated.id);
  // The run goes on waiting, so only the refusal ends the stream.
  expect(await stream.text().catch(String)).not.toContain('run.terminated');
  for (const token of tokens) expect((await read(traceId, token)).status).toBe(401);
  const stopped = await service.post(`/api/runs/${waiting}/terminate`, { reason: 'tested' }, admin);
  expect(stopped.status).toBeLessThan(300);
});

test('a token of a user ends with the erasure of the user', async () => {
  const key = bearer((await newKey('read,run', '--user', 'eve')).key);
  const traceId = await run(key);
  const token = await tokenFor(traceId, key);
  expect((await read(traceId, token)).status).toBe(200);
  const erased = await service.send('DELETE', '/api/memory/clear/eve', undefined, admin);
  expect(erased.status).toBe(200);
  expect((await read(traceId, token)).status).toBe(401);
});

describeWithBrowser('a page of another origin', () => {
  interface Seen {
    readonly status: number;
    readonly traceId: string | null;
    readonly events: readonly string[];
  }

  /** Runs in the page: starts a run by JSON with a key, and follows it by an EventSource with a token. */
  async function startAndFollow([api, auth, body]: readonly [
    string,
    Record<string, string>,
    string,
  ]): Promise<Seen> {
    const headers = { ...auth, 'content-type': 'application/json', prefer: 'respond-async' };
    const started = await fetch(`${api}/api/workflow/execute-custom`, { method: 'POST', headers, body });
    const traceId = started.headers.get('x-trace-id');
    const made = await fetch(`${api}/api/runs/${traceId}/token`, { method: 'POST', headers: auth });
    const { data } = (await made.json()) as { data: { token: string } };
    const events: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const source = new EventSource(`${api}/api/runs/${traceId}/events?token=${data.token}`);
      source.onerror = () => reject(new Error('the stream failed'));
      for (const type of ['run.started', 'step.completed', 'run.completed'])
        source.addEventListener(type, () => {
          events.push(type);
          if (type !== 'run.completed') return;
          source.close();
          resolve();
        });
    });
    return { status: started.status, traceId, events };
  }

  it('starts a run by fetch, reads its headers, and follows it by an EventSource', async () => {
    const browser = await openBrowser();
    try {
      const body = JSON.stringify(
        customBody([toolStep('add', 'calculator', { operation: 'add', a: 1, b: 2 })]),
      );
      const page = await browser.newPage();
      await page.goto(pageUrl);
      const seen = await page.evaluate(startAndFollow, [service.url, admin, body] as const);
      expect(seen).toMatchObject({ status: 202, traceId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
      expect(seen.events.at(-1)).toBe('run.completed');
      // A page of an origin that is not listed is not let in by the browser.
      await page.goto(pageUrl.replace('localhost', '127.0.0.1'));
      await expect(page.evaluate(startAndFollow, [service.url, admin, body] as const)).rejects.toThrow(
        'Failed to fetch',
      );
    } finally {
      await browser.close();
    }
  });
});
