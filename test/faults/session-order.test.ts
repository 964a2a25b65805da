import { join } from 'node:path';
import { temporal } from '@temporalio/proto';
import { createDocumentStore } from '../../src/factories/create-stores';
import { answerOf, ask, initializeAgent } from '../support/agent';
import type { Answer } from '../support/http';
import { LEXICAL, newUser } from '../support/memories';
import { contentsOf, historyOf, initializeMemoryChat, isInTurns } from '../support/memory-chat';
import { eventsOf, listRuns } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';
import { waitFor } from '../support/wait';

const { EventType } = temporal.api.enums.v1;
const HELD = '/held-red';
const CAT = 'My cat is Tom';
const SUM = 'What is 15 times 7?';

let stage: Stage;
let api: Api;
let userId: string;
let proxy: TcpProxy | undefined;

beforeEach(async () => {
  stage = await openStage();
  api = await stage.api(LEXICAL);
  await initializeAgent(api);
  await initializeMemoryChat(api);
  userId = newUser();
});
afterEach(async () => {
  await stage.close();
  await proxy?.close();
  proxy = undefined;
});

const fetching = (): string => `fetch ${stage.peer.url}${HELD}`;

function turn(query: string, key?: string, at: Api = api): Promise<Answer> {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  return ask(at, query, { userId, sessionId: 'red' }, headers);
}

/**
 * Starts a turn that a tool keeps under way until the peer lets go. @returns its answer to come, and its workflow id
 */
async function startHeldTurn(key?: string, at: Api = api) {
  const answer = turn(fetching(), key, at);
  await stage.peer.arrived(HELD);
  const run = await waitFor(
    async () =>
      (await listRuns(stage.client, stage.taskQueue)).find(({ status }) => status.name === 'RUNNING'),
    { what: 'the held turn to be listed' },
  );
  return { answer, workflowId: run.workflowId };
}

/** Fails if `next` is answered instead of asking the turn before it to notify it of its end. */
async function expectToWaitFor(workflowId: string, next: Promise<Answer>): Promise<void> {
  const asked = waitFor(
    async () =>
      (await eventsOf(stage, workflowId, 'EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED')).length > 0 && 'it waits',
    { what: 'the held turn to be asked for a signal' },
  );
  const answered = next.then(({ text }) => `it was answered beside the turn before: ${text}`);
  expect(await Promise.race([asked, answered])).toBe('it waits');
}

async function expectHistory(messages: readonly string[], at: Api = api): Promise<void> {
  const history = await historyOf(at, userId, 'red');
  expect(contentsOf(history, 'user')).toEqual(messages);
  expect(isInTurns(history)).toBe(true);
}

/** Waits until this number of turns have a place in the session, started or not. */
async function places(count: number): Promise<void> {
  const documents = createDocumentStore({ path: join(stage.dataDir, 'holdfast.db') });
  try {
    await waitFor(
      async () => {
        const all = await documents.list('session-places');
        return JSON.stringify(all).split('"workflowId"').length - 1 === count;
      },
      { what: `${count} places to be taken` },
    );
  } finally {
    await documents.close();
  }
}

test('a finished turn that is repeated by its key lets no turn past the one that is under way', async () => {
  await stage.worker(LEXICAL);
  const first = await answerOf(turn(CAT, 'first'));
  const held = await startHeldTurn();
  expect((await answerOf(turn(CAT, 'first'))).response).toBe(first.response);
  const next = turn(SUM);
  await expectToWaitFor(held.workflowId, next);
  stage.peer.release(HELD);
  await Promise.all([held.answer, next].map(answerOf));
  await expectHistory([CAT, fetching(), SUM]);
});

test.each(['the turn under way', 'a finished turn'])(
  'the key of %s with another message is a 409 that lets no turn past the one that is under way',
  async (which) => {
    await stage.worker(LEXICAL);
    const messages = [fetching(), SUM];
    if (which === 'a finished turn') {
      await answerOf(turn(CAT, 'key'));
      messages.unshift(CAT);
    }
    const held = await startHeldTurn(which === 'a finished turn' ? undefined : 'key');
    expect((await turn('Something else', 'key')).status).toBe(409);
    const next = turn(SUM);
    await expectToWaitFor(held.workflowId, next);
    stage.peer.release(HELD);
    await Promise.all([held.answer, next].map(answerOf));
    await expectHistory(messages);
  },
);

test('a turn that its killed API never started hides no turn that is still under way', async () => {
  proxy = await startTcpProxy(stage.settings['TEMPORAL_ADDRESS'] ?? '');
  const [lost] = await Promise.all([
    stage.api({ ...LEXICAL, TEMPORAL_ADDRESS: proxy.address }),
    stage.worker(LEXICAL),
  ]);
  const held = await startHeldTurn();
  proxy.holdRequests();
  const never = turn('What is 2 times 2?', 'never-started', lost).catch(() => undefined);
  await places(2);
  await lost.process.kill();
  await never;
  const next = turn(SUM);
  await expectToWaitFor(held.workflowId, next);
  // A request with its key still starts it, behind the turns that came meanwhile.
  const again = turn('What is 2 times 2?', 'never-started');
  stage.peer.release(HELD);
  await Promise.all([held.answer, next, again].map(answerOf));
  await expectHistory([fetching(), SUM, 'What is 2 times 2?']);
});

/** The run of a turn that waits for another one, and how often it has asked whether the other has ended. */
async function waitingRun() {
  const open = (await listRuns(stage.client, stage.taskQueue)).filter(
    ({ status }) => status.name === 'RUNNING',
  );
  for (const { workflowId } of open) {
    const { raw } = await stage.client.workflow.getHandle(workflowId).describe();
    const looking = raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'turnChange');
    if (looking !== undefined) return { workflowId, looks: looking.attempt ?? 0 };
  }
  return undefined;
}

/** The kinds of a run's events in order, without those of its tasks, which several events may share. */
async function eventTypes(workflowId: string): Promise<string[]> {
  const { events } = await stage.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? [])
    .map(({ eventType }) => EventType[eventType ?? 0] ?? '')
    .filter((type) => !type.includes('WORKFLOW_TASK'));
}

test('a turn that waits long has the same history as one that waits for a moment', async () => {
  await stage.worker(LEXICAL);
  const histories: string[][] = [];
  for (const looks of [1, 4]) {
    const held = turn(`fetch ${stage.peer.url}/held-${looks}`);
    await stage.peer.arrived(`/held-${looks}`);
    const next = turn(SUM);
    const { workflowId } = await waitFor(
      async () => {
        const run = await waitingRun();
        return run !== undefined && run.looks > looks && run;
      },
      { what: `a turn to have looked ${looks} times at the one before` },
    );
    stage.peer.release(`/held-${looks}`);
    await Promise.all([held, next].map(answerOf));
    histories.push(await eventTypes(workflowId));
  }
  expect(histories[1]).toEqual(histories[0]);
  expect(histories[0]?.filter((type) => type.includes('ACTIVITY_TASK_SCHEDULED')).length).toBeGreaterThan(0);
});

test('too many waiting turns are refused until one has ended, and a repeat is none of them', async () => {
  const narrow = await stage.api({ ...LEXICAL, SESSION_MAX_WAITING_TURNS: '2' });
  await stage.worker(LEXICAL);
  await answerOf(turn(CAT, 'finished', narrow));
  const held = await startHeldTurn('held', narrow);
  const waiting = ['first', 'second'].map((key) => turn(SUM, key, narrow));
  await places(3);

  for (const path of ['agent', 'memory-chat']) {
    const body = { userId, sessionId: 'red' };
    const {
      status,
      headers,
      body: answer,
    } = path === 'agent'
      ? await turn('One too many', undefined, narrow)
      : await narrow.post('/api/memory-chat/chat', { ...body, message: 'One too many' });
    expect([status, headers.get('retry-after'), headers.get('x-workflow-id')]).toEqual([429, '5', null]);
    expect(answer).toMatchObject({ success: false, error: 'Too many waiting turns' });
    expect(answer.message).toContain('SESSION_MAX_WAITING_TURNS');
  }
  // A refused request takes no place, and a request whose run exists needs none.
  await places(3);
  const repeats = ['first', 'second'].map((key) => turn(SUM, key, narrow));
  expect((await answerOf(turn(CAT, 'finished', narrow))).response).toContain('Tom');
  stage.peer.release(HELD);
  await Promise.all([held.answer, ...waiting, ...repeats].map(answerOf));
  await answerOf(turn('What is 3 times 3?', undefined, narrow));
  await expectHistory([CAT, fetching(), SUM, SUM, 'What is 3 times 3?']);
});
