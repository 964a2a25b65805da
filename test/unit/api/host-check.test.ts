import type { AddressInfo } from 'node:net';
import { request as rawRequest } from 'node:http';
import { pino } from 'pino';
import { createApp } from '../../../api/http/app';
import type { HttpServer } from '../../../api/http/server';
import { listen } from '../../../api/http/server';

const servers: HttpServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close(100))));

async function serve(loopback: boolean, allowed: readonly string[], host = '127.0.0.1'): Promise<HttpServer> {
  const app = createApp({
    config: { loopback, ALLOWED_HOSTS: allowed, MAX_BODY_BYTES: 1_000 },
    logger: pino({ level: 'silent' }),
    routes: [],
    info: { title: 'test', description: '' },
    isReady: () => true,
  });
  const server = await listen(app, { host, port: 0, portSetting: 'PORT' });
  servers.push(server);
  return server;
}

function statusOf(
  url: string,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url) as unknown as AddressInfo;
    rawRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

const OPEN = '/api/openapi.json';

test('names are checked on loopback, and elsewhere where names are given', async () => {
  const local = await serve(true, []);
  const named = await serve(false, ['api.example']);
  const open = await serve(false, []);
  const foreign = { host: 'evil.example' };
  const given = { host: 'api.example:8443' };
  expect(await statusOf(local.url, OPEN, foreign)).toBe(403);
  expect(await statusOf(local.url, OPEN, given)).toBe(403);
  expect(await statusOf(named.url, OPEN, foreign)).toBe(403);
  expect(await statusOf(named.url, OPEN, given)).toBe(200);
  expect(await statusOf(open.url, OPEN, foreign)).toBe(200);
});

test('a probe may ask by any name', async () => {
  const named = await serve(false, ['api.example']);
  for (const path of ['/livez', '/readyz']) {
    expect(await statusOf(named.url, path, { host: '10.1.2.3:3000' })).toBe(200);
  }
});

test('the origin of what changes something is checked where names are', async () => {
  const named = await serve(false, ['api.example']);
  const open = await serve(false, []);
  const from = (origin: string) => ({ host: 'api.example', origin });
  expect(await statusOf(named.url, OPEN, from('https://evil.example'), 'POST')).toBe(403);
  expect(await statusOf(named.url, OPEN, from('https://evil.example'))).toBe(200);
  expect(await statusOf(named.url, OPEN, from('https://api.example'), 'POST')).toBe(405);
  expect(await statusOf(open.url, OPEN, from('https://evil.example'), 'POST')).toBe(405);
});

test('an IPv6 address may have its brackets', async () => {
  const { url } = await serve(true, [], '[::1]').catch((error: unknown) => {
    // A machine without IPv6 says so by the address alone.
    if (String(error).includes('EADDRNOTAVAIL') || String(error).includes('EAFNOSUPPORT')) return { url: '' };
    throw error;
  });
  expect(url === '' || /^http:\/\/\[::1\]:\d+$/.test(url)).toBe(true);
});
