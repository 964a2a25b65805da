import { join } from 'node:path';
import { createDocumentStore } from '../../src/stores/create-document-store';
import { answerOf, ask, initializeAgent } from '../support/agent';
import type { Answer } from '../support/http';
import { LEXICAL, newUser } from '../support/memories';
import { contentsOf, historyOf, initializeMemoryChat, isInTurns } from '../support/memory-chat';
import { eventsOf, listRuns } from '../support/runs';
import type { Api, Stage } from '../support/stage';
import { openStage } from '../support/stage';
import type { TcpProxy } from '../support/tcp-proxy';
import { startTcpProxy } from '../support/tcp-proxy';
import { waitFor } from '../support/wait';

jest.setTimeout(120_000);

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

/** Starts a turn that a tool keeps under way until the peer lets go. @returns its answer to come, and its workflow id */
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

/** Fails where `next` is answered instead of asking the turn before it to tell when that has ended. */
async function expectToWaitFor(workflowId: string, next: Promise<Answer>): Promise<void> {
  const asked = waitFor(
    async () =>
      (await eventsOf(stage, workflowId, 'EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED')).length > 0 && 'it waits',
    { what: 'the held turn to be asked for a signal', timeoutMs: 45_000 },
  );
  const answered = next.then(({ text }) => `it was answered beside the turn before: ${text}`);
  expect(await Promise.race([asked, answered])).toBe('it waits');
}

async function expectHistory(messages: readonly string[], at: Api = api): Promise<void> {
  const history = await historyOf(at, userId, 'red');
  expect(contentsOf(history, 'user')).toEqual(messages);
  expect(isInTurns(history)).toBe(true);
}

/** Waits until so many turns have a place in the session, whether they are started or not. */
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
  // Its key still begins it, behind those that came meanwhile.
  const again = turn('What is 2 times 2?', 'never-started');
  stage.peer.release(HELD);
  await Promise.all([held.answer, next, again].map(answerOf));
  await expectHistory([fetching(), SUM, 'What is 2 times 2?']);
});
