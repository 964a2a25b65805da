import { randomUUID, verify } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/common';
import { filesWith, historyTexts } from '../support/history-texts';
import { startHoldingPeer } from '../support/holding-peer';
import type { Answer } from '../support/http';
import { clearMemories, countMemories, findMemories, know, LEXICAL, remember } from '../support/memories';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { computeDigest } from '../../src/base/ids';

const USER = 'user-to-be-forgotten';
const SECRET = 'xylophone-in-the-cellar';

let service: Service;
let temporal: TestClient;

beforeAll(async () => {
  [service, temporal] = await Promise.all([startService(LEXICAL), connectTemporal()]);
});
afterAll(() => Promise.all([service.stop(), temporal.close()]));

test('everything of a user goes, and is counted; others keep what they have', async () => {
  const first = await remember(service, USER, `the ${SECRET} is mine`, { metadata: { tags: [SECRET] } });
  await remember(service, USER, 'a second one', { relationships: { related: [first.body.data.id] } });
  await know(service, USER, SECRET, 'what it is');
  await remember(service, 'somebody-else', 'the cellar is damp');

  const { status, body, headers } = await clearMemories(service, USER);
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    message: 'Memories cleared successfully',
    tools: ['graphdb', 'vectordb'],
    data: {
      cleared: true,
      erased: { episodic: 2, semantic: 1, relations: 1, archived: 0, runs: 0 },
      receipt: expect.any(String),
    },
  });
  expect(await countMemories(service, USER)).toEqual({ episodic: 0, semantic: 0 });
  expect((await service.get(`/api/memory/episodic/${first.body.data.id}`)).status).toBe(404);
  expect((await findMemories(service, USER, SECRET)).body.data).toEqual({ episodic: [], semantic: [] });
  expect(await countMemories(service, 'somebody-else')).toEqual({ episodic: 1, semantic: 0 });

  expect(filesWith(SECRET, service.dataDir)).toEqual([]);
  expect(filesWith(USER, service.dataDir)).toEqual([]);
  const history = await historyTexts(temporal.client, headers.get('x-workflow-id') ?? '');
  expect(history).not.toContain(USER);
  expect(headers.get('x-workflow-id')).not.toContain(USER);
});

test('a repeat has nothing to do, and the user may write again', async () => {
  const { body } = await clearMemories(service, USER);
  expect(body.data).toMatchObject({
    cleared: true,
    erased: { episodic: 0, semantic: 0, relations: 0, runs: 0 },
  });
  expect((await remember(service, USER, 'a new beginning')).status).toBe(201);
  expect(await countMemories(service, USER)).toEqual({ episodic: 1, semantic: 0 });
});

test('an erasure leaves a signed receipt, which does not name the user', async () => {
  const before = Date.now();
  await remember(service, 'receipt-user', 'something private');
  const { data } = (await clearMemories(service, 'receipt-user')).body;
  const { status, body } = await service.get(`/api/memory/erasures/${data.receipt}?userId=receipt-user`);
  const { statement, signature, publicKey, isOfUser } = body.data;
  expect([status, isOfUser]).toEqual([200, true]);
  expect(JSON.stringify(body)).not.toContain('receipt-user');
  const said = JSON.parse(statement);
  expect(said).toMatchObject({
    erasure: data.receipt,
    erased: data.erased,
    stores: { erased: 1, notReached: 0 },
  });
  expect(Date.parse(said.begun)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(said.ended)).toBeGreaterThanOrEqual(Date.parse(said.begun));
  const isSigned = (text: string): boolean =>
    verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
  expect([isSigned(statement), isSigned(statement.replace('1', '2'))]).toEqual([true, false]);
  const other = await service.get(`/api/memory/erasures/${data.receipt}?userId=somebody-else`);
  expect(other.body.data.isOfUser).toBe(false);
  const unknown = await service.get('/api/memory/erasures/no-such-erasure');
  expect([unknown.status, unknown.body.error]).toEqual([404, 'Erasure not found']);
});

test('the turns of a user go with all they carried, also one that is under way; those of others stay', async () => {
  const [user, other] = ['talkative-user', 'other-user'];
  const peer = await startHoldingPeer();
  try {
    await service.post('/api/agent/initialize', {});
    const ask = (userId: string, query: string): Promise<Answer> =>
      service.post('/api/agent/execute', { query, options: { userId, sessionId: 'the-session' } });
    const turn = await ask(user, `My ${SECRET} is green. ${'It is long. '.repeat(600)}`);
    expect(turn.status).toBe(200);
    const kept = await ask(other, 'My boat is red.');
    const slow = ask(user, `fetch ${peer.url}/held/${SECRET}`);
    await peer.arrived(`/held/${SECRET}`);

    const { body } = await clearMemories(service, user);
    expect(body.data.erased).toMatchObject({ episodic: 2, runs: 2 });
    expect((await slow).body.error).toBe('Run cancelled');
    const idOf = ({ headers }: Answer): string => headers.get('x-workflow-id') ?? '';
    // The server forgets a run that has just ended only after its own next checkpoint.
    await waitFor(() => isGone(idOf(turn)), { what: 'the end of a history' });
    expect(await historyTexts(temporal.client, idOf(kept))).toContain('My boat is red.');
    expect(filesWith(SECRET, service.dataDir)).toEqual([]);
    expect(filesWith(user, service.dataDir)).toEqual([]);
  } finally {
    await peer.close();
  }
});

async function isGone(workflowId: string): Promise<boolean> {
  try {
    await temporal.client.workflow.getHandle(workflowId).describe();
    return false;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    throw error;
  }
}

test('neither the memo of a run with a key nor a log line lets a user be told', async () => {
  const user = 'ada-of-the-logs';
  await service.post('/api/agent/initialize', {});
  await service.get(`/api/memory/stats/${user}`);
  const failed = await service.post('/api/workflow/execute', { query: `juggle for ${user}` });
  expect(failed.status).toBe(400);
  const headers = { 'idempotency-key': randomUUID() };
  const cleared = await fetch(`${service.url}/api/memory/clear/${user}`, { method: 'DELETE', headers });
  expect(cleared.status).toBe(200);
  const repeated = await fetch(`${service.url}/api/memory/clear/${user}`, { method: 'DELETE', headers });
  expect(repeated.headers.get('x-trace-id')).toBe(cleared.headers.get('x-trace-id'));

  const run = temporal.client.workflow.getHandle(cleared.headers.get('x-workflow-id') ?? '');
  const { memo } = await run.describe();
  expect(memo?.['requestDigest']).toMatch(/^[0-9a-f]{64}$/);
  expect(memo?.['requestDigest']).not.toBe(computeDigest({ userId: user }));
  expect(memo?.['requestDigest']).not.toBe(computeDigest({ user }));
  expect(service.process.lines.map(({ msg }) => msg)).toContain('Activity failed');
  expect(JSON.stringify(service.process.lines)).not.toContain(user);
});

test('what is written meanwhile is refused or erased', async () => {
  const user = 'busy';
  for (let n = 0; n < 20; n += 1) await remember(service, user, `note ${n}`);
  const clearing = clearMemories(service, user);
  const writes = await Promise.all(
    Array.from({ length: 20 }, (_, n) => remember(service, user, `late ${n}`)),
  );
  const { status } = await clearing;
  expect(status).toBe(200);
  expect(new Set(writes.map((write) => write.status))).toEqual(
    new Set(writes.map((write) => (write.status === 201 ? 201 : 409))),
  );
  const left = await service.post('/api/memory/episodic/search', { userId: user, limit: 100 });
  const known = new Map(writes.map(({ body }) => [body.data?.id, body.data?.content]));
  // A write acknowledged after the end of the erasure stays; one acknowledged before it is gone.
  for (const { id, content } of left.body.data) expect(known.get(id)).toBe(content);
});
