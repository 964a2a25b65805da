import { setImmediate as nextIteration } from 'node:timers/promises';
import { pino } from 'pino';
import { z } from 'zod';
import { createApiRoutes } from '../../../api/api-routes';
import { createApp } from '../../../api/app';
import { defineStreamRoute, routesWith } from '../../../api/http/route';
import { type HttpServer, listen } from '../../../api/http/server';
import { createRecordRoutes } from '../../../packages/records/api/start-records';
import type { Authentication } from '../../../api/http/caller-identity';
import { DEFAULT_TENANT } from '../../../src/contracts/tenants';
import { loadConfig } from '../../../src/settings/config';
import { activitiesByRun } from '../../../worker/activities';
import type { Activities } from '../../../worker/queue-activities';
import { inActivity } from '../../support/activity-context';
import { request, send } from '../../support/http';

interface Owned {
  readonly tenant: string;
}

const { defineRoute } = routesWith<Owned>();
const named = z.object({ tenant: z.string() });
const common = { access: 'read', tag: 'Test', summary: '' } as const;
const TENANTS = [DEFAULT_TENANT, 'acme', 'zenith'] as const;

/** A route that answers with the tenant whose services each of its functions was given. */
const route = defineRoute({
  ...common,
  method: 'post',
  path: '/api/memory/whose',
  operationId: 'whose',
  message: 'ok',
  request: { query: named, body: named },
  response: z.object({ handler: z.string(), owner: z.string() }),
  tools: (_input, services) => [services.tenant],
  async checkOwner(_input, userId, services) {
    owners.set(userId, services.tenant);
    await nextIteration();
  },
  async handler(_input, { services, caller }) {
    await nextIteration();
    return { handler: services.tenant, owner: owners.get(caller.userId ?? '') ?? '' };
  },
});
const streamed = defineStreamRoute({
  ...common,
  method: 'get',
  path: '/api/memory/whose',
  operationId: 'whoseStream',
  request: {},
  streams: { 'text/plain': z.string() },
  handler: (_input, { services }) => ({
    mediaType: 'text/plain',
    chunks: (async function* () {
      await nextIteration();
      yield (services as Owned).tenant;
    })(),
  }),
});
const owners = new Map<string, string>();
const asked: string[] = [];

/** Takes `tenant.user` for a key. */
const authentication: Authentication = {
  authenticator: {
    authenticate(authorization) {
      const [tenant = '', userId = ''] = authorization.slice('Bearer '.length).split('.');
      return Promise.resolve({ id: authorization, tenant, userId, scopes: new Set(['read'] as const) });
    },
    isStillValid: () => Promise.resolve(true),
  },
  identify: ({ tenant, id = '' }) => ({ owner: { tenant }, keyPrefix: id }),
};

let server: HttpServer;
beforeAll(async () => {
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 10_000 },
    logger: pino({ level: 'silent' }),
    routes: [route, streamed],
    async servicesOf(tenant) {
      asked.push(tenant);
      await nextIteration();
      return { tenant };
    },
    authentication,
    info: { title: 'test', description: '' },
    isReady: () => true,
  });
  server = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
});
afterAll(() => server.close(100));

const url = () => `${server.url}/api/memory/whose`;
const by = (tenant: string, user: string) => ({ authorization: `Bearer ${tenant}.${user}` });

test('each function of a route has the services of the tenant whose key the request has, whatever else it names', async () => {
  const requests = Array.from({ length: 90 }, async (_, at) => {
    const tenant = TENANTS[at % TENANTS.length] as string;
    const headers = { 'x-tenant': 'acme', 'x-holdfast-tenant': 'zenith', ...by(tenant, `u${at}`) };
    const { status, body } = await send('POST', `${url()}?tenant=acme`, { tenant: 'zenith' }, headers);
    const { data, tools } = body as { readonly data: unknown; readonly tools: unknown };
    expect({ status, data, tools }).toEqual({
      status: 200,
      data: { handler: tenant, owner: tenant },
      tools: [tenant],
    });
    const { text } = await request(url(), { headers: by(tenant, 'u') });
    expect(text).toBe(tenant);
  });
  await Promise.all(requests);
  expect(new Set(asked)).toEqual(new Set(TENANTS));
});

test('the routes are built from ports that have no data of a tenant', () => {
  const config = loadConfig({});
  const read: string[] = [];
  const port: unknown = new Proxy(() => port, { get: () => port, apply: () => port });
  const shared = new Proxy({} as never, {
    get(_, name: string) {
      read.push(name);
      return name === 'config' ? config : port;
    },
  });
  createApiRoutes(shared);
  // `memory` of these has the configuration of the stores, which is the same for all tenants, and nothing else.
  expect([...new Set(read)].sort()).toEqual(
    [
      ...['approvalLinks', 'config', 'engine', 'feeds', 'keys', 'loginStates', 'memory', 'models'],
      ...['runTokens', 'sandbox', 'secrets', 'shown'],
    ].sort(),
  );
  expect(createRecordRoutes.length).toBe(1);
});

test('an activity is that of the tenant whose run calls it', async () => {
  const created: string[] = [];
  const { runTool } = activitiesByRun(['runTool'], async (tenant) => {
    created.push(tenant);
    await nextIteration();
    return { runTool: (step: unknown) => Promise.resolve({ tenant, step }) } as unknown as Activities;
  });
  const calls = Array.from({ length: 30 }, async (_, at) => {
    const tenant = TENANTS[at % TENANTS.length] as string;
    const workflowId = tenant === DEFAULT_TENANT ? 'execute-tool/@acme/1' : `@${tenant}/execute-tool/1`;
    const call = inActivity(() => runTool({ tenant: 'acme' } as never), { workflowId });
    expect(await call).toEqual({ tenant, step: { tenant: 'acme' } });
  });
  await Promise.all(calls);
  expect(created.sort()).toEqual([...TENANTS].sort());
});
