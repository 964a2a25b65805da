import { answerOf, ask, initializeAgent } from '../../support/agent';
import { startChatSessions } from '../../support/chat-sessions';
import type { Answer } from '../../support/http';
import { newUser } from '../../support/memories';
import { chat, contentsOf, historyOf, initializeMemoryChat, isInTurns } from '../../support/memory-chat';
import { says } from '../../support/model-server';
import { listRuns } from '../../support/runs';
import { pickCount } from '../../support/thorough';
import { waitFor } from '../../support/wait';
import type { Ground, Work } from './work';

const SESSIONS = ['red', 'green', 'blue'];

const turn = ({ api }: Ground, userId: string, query: string, sessionId = 'red'): Promise<Answer> =>
  ask(api, query, { userId, sessionId, model: 'builtin' });

/** Waits until the server's index lists this number of turns. A turn has its place before its run is listed. */
const turnsKnown = (on: Ground, count: number): Promise<unknown> =>
  waitFor(async () => (await turnsOf(on)) >= count, { what: `${count} turns to be listed` });

async function turnsOf({ stage }: Ground): Promise<number> {
  const runs = await listRuns(stage.client, stage.taskQueue);
  return runs.filter(({ type }) => type === 'agentTurn').length;
}

async function expectHistory(
  { api }: Ground,
  userId: string,
  sessionId: string,
  messages: readonly string[],
): Promise<void> {
  const history = await historyOf(api, userId, sessionId);
  expect([sessionId, contentsOf(history, 'user')]).toEqual([sessionId, messages]);
  expect([sessionId, isInTurns(history)]).toEqual([sessionId, true]);
}

export const agentSessions: Work = {
  name: 'turns of several sessions of the agent are there once each, and in order',
  counted: { succeeded: SESSIONS.length },
  async begin(on) {
    const { peer } = on.stage;
    await initializeAgent(on.api);
    await initializeMemoryChat(on.api);
    const userId = newUser();
    const heldOf = (session: string): string => `/held/turn/${session}`;
    const messagesOf = (session: string): string[] => [
      `fetch ${peer.url}${heldOf(session)}`,
      `My favourite colour is ${session}`,
      'What is my favourite colour?',
    ];
    const answers: Promise<Answer>[] = [];
    for (const round of [0, 1, 2]) {
      for (const session of SESSIONS)
        answers.push(turn(on, userId, messagesOf(session)[round] ?? '', session));
      await turnsKnown(on, SESSIONS.length * (round + 1));
      if (round === 0) await Promise.all(SESSIONS.map((session) => peer.arrived(heldOf(session))));
    }
    return {
      async resume() {
        await Promise.all(SESSIONS.map((session) => peer.arrived(heldOf(session), 2)));
        for (const session of SESSIONS) peer.release(heldOf(session));
      },
      async holds() {
        const all = await Promise.all(answers.map(answerOf));
        for (const { metadata } of all) expect(metadata).toMatchObject({ remembered: true, degraded: [] });
        for (const session of SESSIONS) await expectHistory(on, userId, session, messagesOf(session));
        for (const { toolResults } of all.slice(0, SESSIONS.length)) {
          expect(toolResults).toMatchObject([
            { toolName: 'api_call', success: true, result: { status: 200 } },
          ]);
        }
        // The later turns waited for the first.
        for (const { metadata } of all.slice(SESSIONS.length))
          expect(metadata.sessionWaitTime).toBeGreaterThan(0);
        expect(await turnsOf(on)).toBe(answers.length);
      },
    };
  },
};

export const nextTurnElsewhere: Work = {
  name: 'a turn of the agent goes on, and the next one by another API comes after it',
  counted: { succeeded: 1 },
  async begin(on) {
    const { peer } = on.stage;
    await initializeAgent(on.api);
    await initializeMemoryChat(on.api);
    const userId = newUser();
    const path = '/held/turn';
    const fetching = `fetch ${peer.url}${path}`;
    const lost = turn(on, userId, fetching).catch(() => undefined);
    await peer.arrived(path);
    let next: Promise<Answer>;
    return {
      async resume() {
        await lost;
        next = turn(on, userId, 'My cat is Tom');
        await turnsKnown(on, 2);
        peer.release(path);
      },
      async holds() {
        const { metadata } = await answerOf(next);
        expect(metadata.sessionWaitTime).toBeGreaterThan(0);
        await expectHistory(on, userId, 'red', [fetching, 'My cat is Tom']);
      },
    };
  },
};

export const chatTurn: Work = {
  name: 'a message of memory chat is kept, and is answered once',
  async begin({ model, api }) {
    await initializeMemoryChat(api);
    const userId = newUser();
    const held: (() => void)[] = [];
    model.script('and hens', [], says('Noted.'));
    model.script(
      'I keep bees',
      [
        async (request, response) => {
          await new Promise<void>((resolve) => held.push(resolve));
          if (!response.destroyed) await says('too late')(request, response);
        },
      ],
      says('Noted.'),
    );
    const answer = chat(api, { userId, message: 'I keep bees' });
    await waitFor(() => held.length > 0, { what: 'the model to be asked' });
    const next = chat(api, { userId, message: 'and hens' });
    expect(contentsOf(await historyOf(api, userId), 'user')).toEqual(['I keep bees']);
    return {
      async resume() {
        for (const release of held) release();
      },
      async holds() {
        const answers = [await answer, await next];
        expect(answers.map(({ status, body }) => [status, body.data.message, body.data.degraded])).toEqual([
          [200, 'Noted.', []],
          [200, 'Noted.', []],
        ]);
        const history = await historyOf(api, userId);
        expect(history.map(({ content }) => content)).toEqual([
          'I keep bees',
          'Noted.',
          'and hens',
          'Noted.',
        ]);
        expect(isInTurns(history)).toBe(true);
      },
    };
  },
};

export const chatSessions: Work = {
  name: 'of sessions of memory chat at once nothing is lost, nothing is there twice, and all is in order',
  async begin({ api }) {
    await initializeMemoryChat(api);
    const [count, turns] = [pickCount(20, 50), pickCount(6, 20)];
    const sessions = startChatSessions(api, count, turns, { model: 'builtin' });
    await Promise.race([
      sessions.done,
      waitFor(() => sessions.answered() >= 0.3 * count * turns, {
        what: 'a third of the answers',
        timeoutMs: 400_000,
      }),
    ]);
    expect(sessions.answered()).toBeLessThan(0.9 * count * turns);
    return {
      resume: () => sessions.done,
      async holds() {
        expect(sessions.answered()).toBe(count * turns);
        await sessions.check();
      },
    };
  },
};
