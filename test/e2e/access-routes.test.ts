import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer, type Key, runKeys, SCOPES, WRONG_KEY } from '../support/keys';
import { request, send } from '../support/http';
import { type Service, startService } from '../support/service';

let service: Service;
const keys = new Map<string, string>();
beforeAll(async () => {
  service = await startService({ AUTH: 'keys' });
  for (const scope of SCOPES) {
    const { key } = await runKeys<Key>(service.dataDir, 'create', '--name', scope, '--scopes', scope);
    keys.set(scope, key);
    // Keys that were accepted before are accepted after many failed attempts too.
    expect((await send('GET', `${service.url}/api/nothing`, undefined, bearer(key))).status).toBe(404);
    expect((await send('GET', `${service.recordsUrl}/api/nothing`, undefined, bearer(key))).status).toBe(404);
  }
});
afterAll(() => service.stop());

interface Operation {
  /** As the documents name it. */
  readonly route: string;
  readonly method: string;
  readonly path: string;
  /** `open`, or `any` if every key suffices. */
  readonly scope: string;
}

/** The operations of a server, by its OpenAPI document, which needs no key. */
async function operationsOf(url: string): Promise<Operation[]> {
  const { body } = await request(`${url}/api/openapi.json`);
  expect(body.components.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
  const paths = body.paths as Record<string, Record<string, { security: { bearer: string[] }[] }>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      route: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      path: path.replaceAll(/\{\w+\}/g, 'x'),
      scope: security[0] === undefined ? 'open' : (security[0].bearer[0] ?? 'any'),
    })),
  );
}

describe.each([
  ['the API', () => service.url, 60],
  ['the records API', () => service.recordsUrl, 20],
])('every operation of %s', (_, url, least) => {
  let operations: Operation[];
  beforeAll(async () => {
    operations = await operationsOf(url());
    expect(operations.length).toBeGreaterThan(least);
  });

  it('answers 401 without a key, unless it is open', async () => {
    for (const { method, path, scope } of operations) {
      const answer = await send(method, url() + path);
      if (scope === 'open') {
        expect([method, path, answer.status]).toEqual(['GET', '/api/health', 200]);
        continue;
      }
      expect([method, path, answer.status]).toEqual([method, path, 401]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('answers a wrong key with 401, after many of them with 429, unless it is open', async () => {
    for (const { method, path, scope } of operations) {
      const answer = await send(method, url() + path, undefined, bearer(WRONG_KEY));
      if (scope === 'open') {
        expect([method, path, answer.status]).toEqual(['GET', '/api/health', 200]);
        continue;
      }
      expect([method, path, [401, 429].includes(answer.status)]).toEqual([method, path, true]);
      if (answer.status === 401)
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
  });

  it.each(SCOPES)(
    'answers a key with the scope %s alone with 403, unless it needs that scope',
    async (only) => {
      for (const { method, path, scope } of operations) {
        // It tests the whole service, for which other suites have more patience.
        if (scope === only && path === '/api/agent/test') continue;
        const answer = await send(method, url() + path, undefined, bearer(keys.get(only) ?? ''));
        const isAllowed = ['open', 'any', only].includes(scope);
        expect([method, path, answer.status]).not.toEqual([method, path, 401]);
        expect([method, path, answer.status === 403]).toEqual([method, path, !isAllowed]);
        if (isAllowed) continue;
        expect(answer.headers.get('www-authenticate')).toBe(
          `Bearer error="insufficient_scope", scope="${scope}"`,
        );
        expect(JSON.stringify(answer.body)).toContain(`The request needs the scope ${scope}`);
      }
    },
  );
});

test('docs/operators/access.md has every route with its scope', async () => {
  const operations = (await Promise.all([service.url, service.recordsUrl].map(operationsOf))).flat();
  const rows = operations.map(({ route, scope }) => `| \`${route}\` | ${scope} |`);
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'operators', 'access.md'), 'utf8');
  const written = page.slice(page.indexOf('## Routes')).replaceAll(/ +\|/g, ' |');
  expect(written.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});
