import { rememberOrDegrade, turnMessage } from '../turns/turn-memory';
import type { AnsweredTurn, RememberedTurn, UnderstoodTurn } from './state';

/** Stores the query of a turn that cannot be answered. If memory is unavailable too, the query is lost. */
export async function rememberMessage({ input, startedAt }: UnderstoodTurn): Promise<void> {
  const message = turnMessage(input, { role: 'user', content: input.query, timestamp: startedAt });
  await rememberOrDegrade([message], input.memoryLimits, 'the message was not remembered');
}

/** Stores query and answer. If memory is unavailable, the turn is still answered, and its result says so. */
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
