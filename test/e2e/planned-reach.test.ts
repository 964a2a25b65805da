import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerOf, ask, classifiesAs, initializeAgent, plansInTurn, playsAgent } from '../support/agent';
import { readsFile } from '../support/injection-attacks';
import { LEXICAL, newUser } from '../support/memories';
import type { ScriptedCall } from '../support/model-server';
import { fetches, type ModelService, outcomesIn, startModelService } from '../support/model-service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';

const PATHS = ['/api/tools/mcp', '/api/workflow/execute'];

let service: ModelService;
/** A host that redirects from `/go` to the other host. */
let first: StubPeer;
let other: StubPeer;
/** A host that the settings allow. */
let known: StubPeer;

const hostOf = ({ url }: StubPeer): string => new URL(url).host;

beforeAll(async () => {
  other = await startStubPeer((_request, response) => sendJson(response, 200, { at: 'other' }));
  known = await startStubPeer((_request, response) => sendJson(response, 200, { at: 'known' }));
  first = await startStubPeer(({ path }, response) => {
    if (path === '/go') response.writeHead(302, { location: `${other.url}/led` }).end();
    else if (path === '/known') response.writeHead(302, { location: `${known.url}/led` }).end();
    else sendJson(response, 200, { at: 'first' });
  });
  service = await startModelService({
    ...LEXICAL,
    PLANNER_ALLOW_HOSTS: hostOf(known),
    PLANNER_ALLOW_FILES: 'public/',
  });
  const root = join(service.dataDir, 'files');
  for (const folder of ['public', 'reports']) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'may.txt'), `In ${folder}`);
  }
  await initializeAgent(service);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([first.close(), other.close(), known.close()]);
});
beforeEach(() => {
  service.hosted.reset();
  service.local.reset();
});

/** The outcome of the one call that a model makes for a query that names no host. */
async function outcomeOf(path: string, call: ScriptedCall, allow?: object): Promise<unknown> {
  service.hosted.otherwise(plansInTurn([call], 'Done.'));
  await service.post(path, { query: 'do it', options: { ...(allow === undefined ? {} : { allow }) } });
  const [outcome = 'null'] = outcomesIn(service.hosted.requests.at(-1));
  return JSON.parse(outcome);
}

/** The same outcome in a turn of the agent. */
async function outcomeOfTurn(call: ScriptedCall, allow?: object): Promise<unknown> {
  service.hosted.otherwise(
    playsAgent({
      classify: classifiesAs('tool_execution', ['api_call']),
      plan: plansInTurn([call], 'Done.'),
    }),
  );
  const { toolResults } = await answerOf(
    ask(service, 'do it', { userId: newUser(), ...(allow === undefined ? {} : { allow }) }),
  );
  const [{ result, error }] = toolResults;
  return error === undefined ? result : { failed: true, error };
}

describe.each([...PATHS, 'the agent'])('a planned call of %s', (path) => {
  const outcome = (call: ScriptedCall, allow?: object): Promise<unknown> =>
    path === 'the agent' ? outcomeOfTurn(call, allow) : outcomeOf(path, call, allow);
  const refusedAs = (what: string) => ({ failed: true, error: expect.stringContaining(what) });

  test('is refused where neither the query nor anything else allows what it reaches for', async () => {
    const before = first.requests.length;
    expect(await outcome(fetches(`${first.url}/x`))).toMatchObject(refusedAs('does not name the address'));
    expect(await outcome(readsFile('reports/may.txt'))).toMatchObject(refusedAs('does not name the file'));
    expect(first.requests).toHaveLength(before);
  });

  test('reaches a host that options.allow has, and by a redirect no other one', async () => {
    const allow = { hosts: [hostOf(first)] };
    expect(await outcome(fetches(`${first.url}/x`), allow)).toMatchObject({ data: { at: 'first' } });
    const before = other.requests.length;
    expect(await outcome(fetches(`${first.url}/go`), allow)).toMatchObject(refusedAs('another host'));
    expect(other.requests).toHaveLength(before);
  });

  test('is redirected to a host that is allowed too', async () => {
    const hosts = [hostOf(first), hostOf(other)];
    expect(await outcome(fetches(`${first.url}/go`), { hosts })).toMatchObject({ data: { at: 'other' } });
    const hostsOfFirst = { hosts: [hostOf(first)] };
    expect(await outcome(fetches(`${first.url}/known`), hostsOfFirst)).toMatchObject({
      data: { at: 'known' },
    });
  });

  test('reaches every host, and is redirected anywhere, with *', async () => {
    const answer = await outcome(fetches(`${first.url}/go`), { hosts: ['*'] });
    expect(answer).toMatchObject({ data: { at: 'other' } });
  });

  test('reads a file that options.allow has, by its path or its folder', async () => {
    const content = { content: 'In reports' };
    const read = readsFile('reports/may.txt');
    expect(await outcome(read, { files: ['reports/may.txt'] })).toMatchObject(content);
    expect(await outcome(read, { files: ['reports/'] })).toMatchObject(content);
    expect(await outcome(readsFile('reports/../reports/may.txt'), { files: ['reports/'] })).toMatchObject(
      refusedAs('does not name the file'),
    );
  });

  test('reaches what the settings allow, whatever the request says', async () => {
    expect(await outcome(fetches(`${known.url}/x`))).toMatchObject({ data: { at: 'known' } });
    expect(await outcome(readsFile('public/may.txt'), { files: ['reports/'] })).toMatchObject({
      content: 'In public',
    });
  });
});

describe('options.allow is refused', () => {
  test.each<[string, object, string]>([
    ['with a field that it does not have', { host: ['a.example'] }, 'options.allow.host'],
    ['with a list of another type', { hosts: 'a.example' }, 'options.allow.hosts'],
    ['with an address in place of a host', { hosts: ['http://a.example/'] }, 'options.allow.hosts[0]'],
    ['with a star within a name', { hosts: ['a.example', 'b.*.example'] }, 'options.allow.hosts[1]'],
    ['with a user name', { hosts: ['me@a.example'] }, 'options.allow.hosts[0]'],
    ['with an empty host', { hosts: [''] }, 'options.allow.hosts[0]'],
    ['with a long host', { hosts: ['a'.repeat(261)] }, 'options.allow.hosts[0]'],
    ['with too many hosts', { hosts: Array.from({ length: 101 }, () => 'a') }, 'options.allow.hosts'],
    ['with an absolute path', { files: ['/etc/passwd'] }, 'options.allow.files[0]'],
    ['with a path that leads out', { files: ['a/../../b'] }, 'options.allow.files[0]'],
    ['with too many files', { files: Array.from({ length: 101 }, () => 'a') }, 'options.allow.files'],
  ])('%s', async (_case, allow, field) => {
    for (const path of [...PATHS, '/api/agent/execute']) {
      const identity = path === '/api/agent/execute' ? { userId: 'u', sessionId: 's' } : {};
      const { status, body } = await service.post(path, { query: 'do it', options: { ...identity, allow } });
      expect([status, body.details]).toMatchObject([400, { field }]);
    }
    expect(service.hosted.requests).toEqual([]);
  });
});

test('a request with another allowance is another request for its key', async () => {
  service.hosted.otherwise(plansInTurn([], 'Done.'));
  const headers = { 'idempotency-key': 'key-of-allowances' };
  const send = (hosts: string[]) =>
    service.post('/api/tools/mcp', { query: 'do it', options: { allow: { hosts } } }, headers);
  expect((await send(['a.example'])).status).toBe(200);
  expect((await send(['b.example'])).status).toBe(409);
});
