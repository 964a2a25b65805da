import { randomUUID } from 'node:crypto';
import { collectEvents, openEvents, type SentEvent } from '../support/event-stream';
import type { Answer } from '../support/http';
import { callsTools, fails, says } from '../support/model-server';
import { calculates, fetches, type ModelService, startModelService } from '../support/model-service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';

let service: ModelService;
let peer: StubPeer;

beforeAll(async () => {
  peer = await startStubPeer(({ path }, response) => sendJson(response, 200, { path }));
  service = await startModelService({ LLM_MAX_ATTEMPTS: '1', EGRESS_ALLOW_PRIVATE: 'true' });
});
afterAll(async () => {
  await service.stop();
  await peer.close();
});
beforeEach(() => service.hosted.reset());

const QUERY = 'sing a song about the sea';
const ask = (key: string, query = QUERY): Promise<Answer> =>
  service.post('/api/tools/mcp', { query }, { 'idempotency-key': key });
const traceOf = ({ headers }: Answer): string | null => headers.get('x-trace-id');
const ADD = callsTools([calculates('add', 2, 3)]);
const DOWN = fails(500, 'out of order');

async function failing(key: string, query?: string): Promise<Answer> {
  const answer = await ask(key, query);
  expect([answer.status, answer.body.message]).toEqual([503, 'Model unavailable']);
  return answer;
}

test('a run that failed because its model was away, before it did anything, is run again under its key', async () => {
  const key = randomUUID();
  service.hosted.script(DOWN);
  const failed = await failing(key);
  service.hosted.script(ADD, says('Five.'));
  const second = await ask(key);
  expect([second.status, second.body.data?.finalResult]).toEqual([200, 5]);
  expect(traceOf(second)).not.toBe(traceOf(failed));
  expect(second.headers.get('x-workflow-id')).toBe(`mcp/key-${key}/2`);

  const asked = service.hosted.requests.length;
  const third = await ask(key);
  expect(third.body).toEqual(second.body);
  expect(traceOf(third)).toBe(traceOf(second));
  expect(service.hosted.requests).toHaveLength(asked);
});

test('the last event of a run that failed is no place in the events of the run after it', async () => {
  const key = randomUUID();
  const follow = async (lastEventId: string): Promise<SentEvent[]> => {
    const response = await openEvents(`${service.url}/api/tools/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key, 'last-event-id': lastEventId },
      body: JSON.stringify({ query: QUERY }),
    });
    expect(response.status).toBe(200);
    return collectEvents(response);
  };
  service.hosted.script(DOWN, ADD, says('Five.'));
  const failed = await follow('');
  expect(failed.at(-1)?.event).toBe('run.failed');
  const last = String(failed.length);
  const second = await follow(last);
  expect([second[0]?.id, second.at(-1)?.event]).toEqual(['1', 'run.completed']);
  expect(await follow(last)).toEqual(second);
});

test('so is one that had only calculated before', async () => {
  const key = randomUUID();
  service.hosted.script(ADD, DOWN);
  await failing(key);
  service.hosted.script(DOWN);
  await failing(key);
  service.hosted.script(ADD, says('Five.'));
  const answer = await ask(key);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-workflow-id')).toBe(`mcp/key-${key}/3`);
});

test('a run that may have had an effect before its model went away keeps its answer', async () => {
  const key = randomUUID();
  const path = `/pay/${key}`;
  service.hosted.script(callsTools([fetches(peer.url + path, { method: 'POST' })]), DOWN);
  const query = `pay at ${peer.url}`;
  const failed = await failing(key, query);
  expect(failed.headers.get('retry-after')).toBeNull();
  expect(peer.requests.at(-1)?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  expect(peer.count(path)).toBe(1);
  service.hosted.otherwise(says('Paid.'));
  const repeat = await ask(key, query);
  expect(repeat.body).toEqual(failed.body);
  expect(traceOf(repeat)).toBe(traceOf(failed));
  expect(peer.count(path)).toBe(1);
});

test('repeats that come at once start one run', async () => {
  const key = randomUUID();
  const path = `/once/${key}`;
  const query = `send it to ${peer.url}`;
  service.hosted.script(DOWN);
  const failed = await failing(key, query);
  service.hosted.script(callsTools([fetches(peer.url + path, { method: 'POST' })]), says('Done.'));
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask(key, query)));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(new Set(answers.map(traceOf)).size).toBe(1);
  expect(answers.map(traceOf)).not.toContain(traceOf(failed));
  expect(peer.count(path)).toBe(1);
});

test('another request under the key of a failed run is a conflict', async () => {
  const key = randomUUID();
  service.hosted.script(DOWN);
  await failing(key);
  expect((await ask(key, 'another song')).status).toBe(409);
});
