import type { LogLine } from '../support/process';
import { type Service, startService } from '../support/service';
import { request } from '../support/http';

async function withService(
  env: Record<string, string>,
  use: (service: Service) => Promise<void>,
): Promise<void> {
  const service = await startService(env);
  try {
    await use(service);
  } finally {
    await service.stop();
  }
}

const warnings = ({ process }: Service): LogLine[] =>
  process.lines.filter(({ msg }) => msg.includes('is open to everyone'));

/** A request that a foreign page may send without a preflight: it has no body and no header of its own. */
const fromPage = (url: string, origin: string) => request(url, { method: 'POST', headers: { origin } });

test('beyond loopback without ALLOWED_HOSTS: a warning names what is open, and foreign pages change nothing', () =>
  withService({ HOST: '0.0.0.0', ALLOW_PUBLIC: 'yes' }, async (service) => {
    const [api, records, ...others] = [...warnings(service)].sort((one, other) =>
      one.msg.localeCompare(other.msg),
    );
    expect(others).toEqual([]);
    expect(api).toMatchObject({
      msg: expect.stringMatching(
        /^the API is open .*HOST \(0\.0\.0\.0\).*no authentication.*ALLOWED_HOSTS is empty/,
      ),
      url: service.url,
      open: expect.arrayContaining([
        expect.stringContaining('registered code'),
        expect.stringContaining('memories'),
      ]),
      remedy: expect.stringContaining('ALLOWED_HOSTS'),
    });
    expect(records).toMatchObject({
      msg: expect.stringMatching(/^the records API is open /),
      url: service.recordsUrl,
      open: [expect.stringContaining('records')],
    });

    const before = (await service.get('/api/tools')).body.data;
    for (const path of ['/api/tools/clear', '/api/agent/initialize', '/api/agent/test']) {
      const { status, body } = await fromPage(service.url + path, 'https://evil.example');
      expect([path, status]).toEqual([path, 403]);
      expect(JSON.stringify(body)).toContain('A page of');
    }
    expect((await service.get('/api/tools')).body.data).toEqual(before);
    expect((await service.get('/api/agent/status')).body.data?.initialized ?? false).toBe(false);
    // The page of the same origin, such as the documentation, still works.
    expect((await fromPage(`${service.url}/api/tools/restore`, service.url)).status).toBe(200);
  }));

test.each([
  ['on loopback', {}],
  [
    'where the names are given',
    { HOST: '0.0.0.0', ALLOW_PUBLIC: 'yes', ALLOWED_HOSTS: 'app.example,0.0.0.0' },
  ],
  ['where callers are authenticated', { HOST: '0.0.0.0', AUTH: 'keys' }],
])('%s there is nothing to warn of', (_, env: Record<string, string>) =>
  withService(env, async (service) => {
    expect(warnings(service)).toEqual([]);
    const { status } = await fromPage(`${service.url}/api/tools/clear`, 'https://evil.example');
    expect(status).toBe(403);
  }),
);
