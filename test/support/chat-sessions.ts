import { randomUUID } from 'node:crypto';
import type { Paths } from './http';
import { chat, contentsOf, historyOf, isInTurns } from './memory-chat';

type Caller = Pick<Paths, 'get' | 'post'>;

interface Session {
  readonly userId: string;
  readonly sessionId: string;
  /** A word that is in every message of the user, and in no message of another user. */
  readonly mark: string;
}

/** Conversations that run in parallel, each with a caller that waits for every answer. */
export interface ChatSessions {
  /** How many turns were answered. */
  readonly answered: () => number;
  readonly done: Promise<unknown>;
  /** Throws if a message is lost, stored twice, out of order, or visible to another user. */
  check(): Promise<void>;
}

const MARBLES = 13;

/**
 * Each user has two sessions, so that recall also finds memories of another session.
 * @param options of each message
 */
export function startChatSessions(
  api: Caller,
  count: number,
  turns: number,
  options: object = {},
): ChatSessions {
  const sessions = Array.from({ length: count }, (_, n): Session => {
    const mark = `mark${Math.floor(n / 2)}q`;
    return { userId: `${mark}-${randomUUID()}`, sessionId: `session-${n % 2}`, mark };
  });
  let answered = 0;
  const takeTurns = async ({ mark, ...names }: Session): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) {
      const message = messageOf(mark, names.sessionId, turn);
      const { status, text, body } = await chat(
        api,
        { ...names, message, options },
        { 'Idempotency-Key': randomUUID() },
      );
      if (status !== 200) throw new Error(`${status}: ${text}`);
      answered += 1;
      expectOnlyOf(mark, JSON.stringify(body.data));
      expect(body.data.storedMemory.content).toBe(message);
      expect(body.data.degraded).toEqual([]);
    }
  };
  return {
    answered: () => answered,
    done: Promise.all(sessions.map(takeTurns)),
    async check() {
      for (const { userId, sessionId, mark } of sessions) {
        const history = await historyOf(api, userId, sessionId);
        const sent = Array.from({ length: turns }, (_, turn) => messageOf(mark, sessionId, turn));
        expect(contentsOf(history, 'user')).toEqual(sent);
        expect(history).toHaveLength(2 * turns);
        expect(isInTurns(history)).toBe(true);
        expectOnlyOf(mark, JSON.stringify(history));
      }
    },
  };
}

function messageOf(mark: string, sessionId: string, turn: number): string {
  return turn % 3 === 2
    ? `How many marbles does ${mark} have in box ${turn - 1} of ${sessionId}?`
    : `${mark} has ${turn * MARBLES} marbles in box ${turn} of ${sessionId}`;
}

function expectOnlyOf(mark: string, text: string): void {
  expect([...new Set(text.match(/mark\d+q/g))]).toEqual([mark]);
}
