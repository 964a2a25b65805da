import { pino } from 'pino';
import { createApp } from '../../../../../api/app';
import { type HttpServer, listen } from '../../../../../api/http/server';
import { loginPage } from '../../../routes/login-page';
import { LOGIN_PATH } from '../../../routes/login-route';
import { HoldfastError } from '../../../../../src/base/errors';
import { request } from '../../../../../test/support/http';
import { createLoginStates, type LoginState } from '../../../../../src/secrets/signed-texts';

const states = createLoginStates(Buffer.alloc(32, 1));
const STATE: LoginState = {
  ...{ tenant: 'acme', name: 'shop', server: 'a', id: 'b', exp: Date.now() + 60_000 },
  ...{ by: 'key', key: '0123456789abcdef', stamp: 'now' },
};

let finished: unknown[];
let finish: () => Promise<object>;
let stamp: string | undefined;
let log: string[];
let server: HttpServer;

beforeEach(async () => {
  [finished, log, stamp] = [[], [], 'now'];
  finish = () => Promise.resolve({ name: 'shop', tools: [{}], login: 'done' });
  const finishLogin = (...given: unknown[]) => {
    finished.push(given);
    return finish();
  };
  const tenants = {
    of: (tenant: string) => Promise.resolve({ tenant, mcp: { servers: { finishLogin } } } as never),
  };
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 100_000 },
    logger: pino({ level: 'trace' }, { write: (line) => void log.push(line) }),
    routes: [],
    pages: [
      loginPage({ tenants, states, keys: { stampOf: () => Promise.resolve(stamp) }, authenticated: true }),
    ],
    info: { title: 'test', description: '' },
    isReady: () => true,
  });
  server = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
});
afterEach(() => server.close(0));

const open = (fields: Record<string, string>) =>
  request(`${server.url}${LOGIN_PATH}?${new URLSearchParams(fields).toString()}`);
const signed = (change: Partial<LoginState> = {}): string => states.sign({ ...STATE, ...change });

test('a login is finished for the server and the login that its state names', async () => {
  const state = signed();
  const page = await open({ code: 'secret-code', state, iss: 'https://login.example' });
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('1 of its tools are in use')]);
  expect(finished).toEqual([
    [expect.objectContaining(STATE), { code: 'secret-code', iss: 'https://login.example' }],
  ]);
  expect(log.join('')).not.toMatch(/secret-code/);
  expect(log.join('')).not.toContain(state);
});

test.each([
  ['has expired', () => signed({ exp: Date.now() - 1 })],
  ['was signed elsewhere', () => createLoginStates(Buffer.alloc(32, 2)).sign(STATE)],
  [
    'names another tenant than it was signed for',
    () => {
      const [payload = '', signature = ''] = signed().split('.');
      const other = Buffer.from(payload, 'base64url').toString().replace('acme', 'evil');
      return `${Buffer.from(other).toString('base64url')}.${signature}`;
    },
  ],
  ['is of a caller who is not authenticated', () => signed({ by: 'none' })],
  [
    'is of a key that was revoked',
    () => {
      stamp = undefined;
      return signed();
    },
  ],
  ['is no text of ours', () => 'abc'],
])('a state that %s finishes nothing', async (_, state) => {
  const page = await open({ code: 'c', state: state() });
  expect([page.status, finished]).toEqual([400, []]);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('what an authorization server says is shown as text', async () => {
  finish = () =>
    Promise.reject(new HoldfastError('ACCESS_DENIED', 'No login was made: <script>alert(1)</script>'));
  const page = await open({ error: 'access_denied', error_description: 'x', state: signed() });
  expect(page.status).toBe(403);
  expect(page.text).toContain('&lt;script&gt;');
  expect(finished).toMatchObject([[{}, { error: 'access_denied', errorDescription: 'x' }]]);
});
