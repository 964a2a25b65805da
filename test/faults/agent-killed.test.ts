import { setTimeout as delay } from 'node:timers/promises';
import { answerOf, ask, initializeAgent } from '../support/agent';
import type { Answer } from '../support/http';
import { LEXICAL, newUser } from '../support/memories';
import { contentsOf, historyOf, initializeMemoryChat, isInTurns } from '../support/memory-chat';
import { listRuns } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

/** A terminated turn notifies no other turn. A turn that waits for it asks every 5 s. */
const LET_ON_WITHIN_MS = 8_000;
const SESSIONS = ['red', 'green', 'blue'];

let stage: Stage;
let api: Api;
let userId: string;

beforeEach(async () => {
  stage = await openStage();
  api = await stage.api(LEXICAL);
  await initializeAgent(api);
  await initializeMemoryChat(api);
  userId = newUser();
});
afterEach(() => stage.close());

const turn = (query: string, sessionId = 'red', at: Api = api): Promise<Answer> =>
  ask(at, query, { userId, sessionId });
const heldOf = (sessionId: string): string => `/held-${sessionId}`;
const fetchOf = (sessionId: string): string => `fetch ${stage.peer.url}${heldOf(sessionId)}`;

/** Waits until the server's index lists this number of runs. A turn has its place before its run is listed. */
function known(count: number): Promise<unknown> {
  return waitFor(async () => (await listRuns(stage.client, stage.taskQueue)).length >= count, {
    what: `${count} runs to be listed`,
  });
}

async function expectHistory(sessionId: string, messages: readonly string[], at: Api = api): Promise<void> {
  const history = await historyOf(at, userId, sessionId);
  expect([sessionId, contentsOf(history, 'user')]).toEqual([sessionId, messages]);
  expect([sessionId, isInTurns(history)]).toEqual([sessionId, true]);
}

test('turns of several sessions under way outlive their worker: each is there once, and in order', async () => {
  const first = await stage.worker(LEXICAL);
  const answers: Promise<Answer>[] = [];
  const messagesOf = (session: string): string[] => [
    fetchOf(session),
    `My favourite colour is ${session}`,
    'What is my favourite colour?',
  ];
  for (const round of [0, 1, 2]) {
    for (const session of SESSIONS) answers.push(turn(messagesOf(session)[round] ?? '', session));
    await known(SESSIONS.length * (round + 1));
    if (round === 0) await Promise.all(SESSIONS.map((session) => stage.peer.arrived(heldOf(session))));
  }
  await first.kill();
  await stage.worker(LEXICAL);
  await Promise.all(SESSIONS.map((session) => stage.peer.arrived(heldOf(session), 2)));
  for (const session of SESSIONS) stage.peer.release(heldOf(session));

  const all = await Promise.all(answers.map(answerOf));
  for (const { metadata } of all) expect(metadata).toMatchObject({ remembered: true, degraded: [] });
  for (const session of SESSIONS) await expectHistory(session, messagesOf(session));
  for (const { toolResults } of all.slice(0, SESSIONS.length)) {
    expect(toolResults).toMatchObject([{ toolName: 'api_call', success: true, result: { status: 200 } }]);
  }
  // The later turns waited for the first.
  for (const { metadata } of all.slice(SESSIONS.length)) expect(metadata.sessionWaitTime).toBeGreaterThan(0);
  expect((await listRuns(stage.client, stage.taskQueue)).length).toBe(answers.length);
});

describe('a turn that an operator ends', () => {
  test.each(['terminate', 'cancel'] as const)(
    'by %s does not keep the next one of its session waiting',
    async (end) => {
      await stage.worker(LEXICAL);
      const ended = turn(fetchOf('red'));
      await stage.peer.arrived(heldOf('red'));
      const [run] = await listRuns(stage.client, stage.taskQueue);
      const next = turn('What is 15 times 7?');
      await known(2);
      const other = await answerOf(turn('What is 2 times 3?', 'green'));
      expect(other.metadata.sessionWaitTime).toBe(0);

      // The ended turn never gets the answer that it waited for.
      await stage.client.workflow.getHandle(run?.workflowId ?? '')[end]();
      const { response, metadata } = await answerOf(next);
      expect(response).toContain('105');
      expect(metadata.sessionWaitTime).toBeGreaterThan(0);
      const { status, body } = await ended;
      expect([status, body.error]).toEqual([500, 'Run cancelled']);
      await expectHistory('red', ['What is 15 times 7?']);

      // Later turns do not wait for the ended turn either.
      expect((await answerOf(turn('What is 3 times 3?'))).response).toContain('9');
    },
  );

  test.each(['terminate', 'cancel'] as const)(
    'by %s while it waits: the one behind it neither waits for it nor runs beside the one before it',
    async (end) => {
      await stage.worker(LEXICAL);
      const first = turn(fetchOf('red'));
      await stage.peer.arrived(heldOf('red'));
      const second = turn('What is 2 times 2?');
      await known(2);
      const [waiting] = await listRuns(stage.client, stage.taskQueue);
      const third = turn('What is 3 times 3?');
      await known(3);
      await stage.client.workflow.getHandle(waiting?.workflowId ?? '')[end]();
      // The wait is longer than the third turn needs to see that the second has ended.
      await expect(
        Promise.race([third.then(() => 'answered'), delay(LET_ON_WITHIN_MS, 'waits')]),
      ).resolves.toBe('waits');
      stage.peer.release(heldOf('red'));
      expect((await second).status).toBe(500);
      await Promise.all([answerOf(first), answerOf(third)]);
      await expectHistory('red', [fetchOf('red'), 'What is 3 times 3?']);
    },
  );
});

test('many turns of a session are taken in the order of their requests, with keys or without, however long they wait', async () => {
  await stage.worker(LEXICAL);
  const sent: string[] = [];
  const answers: Promise<Answer>[] = [];
  for (let note = 0; note < 30; note += 1) {
    const message = `My note ${note} says boat ${note * 7}`;
    const headers: Record<string, string> = note % 3 === 0 ? { 'Idempotency-Key': `note-${note}` } : {};
    sent.push(message);
    answers.push(ask(api, message, { userId, sessionId: 'red' }, headers));
    // A request reaches the service before the test sends the next one.
    await delay(5);
  }
  for (const answer of answers) await answerOf(answer);
  await expectHistory('red', sent);
  const [{ workflowId } = { workflowId: '' }] = await listRuns(stage.client, stage.taskQueue);
  const { raw } = await stage.client.workflow.getHandle(workflowId).describe();
  // The turns before it may wait for people: for 30 days each of four times, and a day for its own work.
  expect(Number(raw.executionConfig?.workflowRunTimeout?.seconds)).toBe(121 * 86_400);
});

test('a turn goes on when its API is killed, and the next one by another API comes after it', async () => {
  const [another] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL)]);
  const lost = turn(fetchOf('red')).catch(() => undefined);
  await stage.peer.arrived(heldOf('red'));
  await api.process.kill();
  await lost;
  const next = turn('My cat is Tom', 'red', another);
  await known(2);
  stage.peer.release(heldOf('red'));
  const { metadata } = await answerOf(next);
  expect(metadata.sessionWaitTime).toBeGreaterThan(0);
  await expectHistory('red', [fetchOf('red'), 'My cat is Tom'], another);
});
