import type { WorkflowExecutionInfo } from '@temporalio/client';
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

let stage: Stage;
let api: Api;
let userId: string;

beforeAll(async () => {
  stage = await openStage();
  [api] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL)]);
  await initializeAgent(api);
  await initializeMemoryChat(api);
});
afterAll(() => stage.close());

let begun: Date;
beforeEach(() => {
  userId = newUser();
  begun = new Date();
});

/** The runs that began in the test, the latest first. */
async function runsOfTest(): Promise<WorkflowExecutionInfo[]> {
  const runs = await listRuns(stage.client, stage.taskQueue);
  return runs.filter(({ startTime }) => startTime >= begun);
}

const turn = (query: string, sessionId = 'red'): Promise<Answer> => ask(api, query, { userId, sessionId });

/** Waits until the server's index lists this number of runs of the test. A turn has its place before its run is listed. */
function known(count: number): Promise<unknown> {
  return waitFor(async () => (await runsOfTest()).length >= count, {
    what: `${count} runs to be listed`,
  });
}

async function expectHistory(sessionId: string, messages: readonly string[]): Promise<void> {
  const history = await historyOf(api, userId, sessionId);
  expect([sessionId, contentsOf(history, 'user')]).toEqual([sessionId, messages]);
  expect([sessionId, isInTurns(history)]).toEqual([sessionId, true]);
}

describe('a turn that an operator ends', () => {
  test.each(['terminate', 'cancel'] as const)(
    'by %s does not keep the next one of its session waiting',
    async (end) => {
      const held = `/held/next-of-${end}`;
      const ended = turn(`fetch ${stage.peer.url}${held}`);
      await stage.peer.arrived(held);
      const [run] = await runsOfTest();
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
      const held = `/held/before-${end}`;
      const fetching = `fetch ${stage.peer.url}${held}`;
      const first = turn(fetching);
      await stage.peer.arrived(held);
      const second = turn('What is 2 times 2?');
      await known(2);
      const [waiting] = await runsOfTest();
      const third = turn('What is 3 times 3?');
      await known(3);
      await stage.client.workflow.getHandle(waiting?.workflowId ?? '')[end]();
      // The wait is longer than the third turn needs to see that the second has ended.
      await expect(
        Promise.race([third.then(() => 'answered'), delay(LET_ON_WITHIN_MS, 'waits')]),
      ).resolves.toBe('waits');
      stage.peer.release(held);
      expect((await second).status).toBe(500);
      await Promise.all([answerOf(first), answerOf(third)]);
      await expectHistory('red', [fetching, 'What is 3 times 3?']);
    },
  );
});

test('many turns of a session are taken in the order of their requests, with keys or without, however long they wait', async () => {
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
  const [{ workflowId } = { workflowId: '' }] = await runsOfTest();
  const { raw } = await stage.client.workflow.getHandle(workflowId).describe();
  // The turns before it may wait for people: for 30 days each of four times, and a day for its own work.
  expect(Number(raw.executionConfig?.workflowRunTimeout?.seconds)).toBe(121 * 86_400);
});
