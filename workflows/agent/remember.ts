import { rememberOrDegrade, turnMessage } from '../turns/turn-memory';
import type { AnsweredTurn, RememberedTurn } from './state';

/** Stores query and answer. Where memory is unavailable, the turn is still answered, and its result says so. */
export async function rememberTurn(turn: AnsweredTurn): Promise<RememberedTurn> {
  const { input, answer, startedAt } = turn;
  const now = Date.now();
  const messages = [
    turnMessage(input, { role: 'user', content: input.query, timestamp: startedAt }),
    turnMessage(input, {
      role: 'assistant',
      content: answer.text,
      timestamp: Math.max(now, startedAt + 1),
      nothingKnown: answer.nothingKnown === true,
    }),
  ];
  const notRemembered = await rememberOrDegrade(messages, input.memoryLimits, 'the turn was not remembered');
  return { ...turn, notRemembered, memoryStoreTime: Date.now() - now };
}
