import { rememberOrDegrade, turnMessage } from '../turns/turn-memory';
import type { AgentTurnInput } from '../../src/contracts/runs/agent';
import { rememberedText } from '../../src/contracts/runs/files';
import type { AnsweredTurn, RememberedTurn, UnderstoodTurn } from './state';

/** Stores the query of a turn that cannot be answered. If memory is unavailable too, the query is lost. */
export async function rememberMessage({ input, startedAt }: UnderstoodTurn): Promise<void> {
  if (input.remember === false || input.calledBy !== undefined) return;
  const message = turnMessage(input, { role: 'user', content: wordsOf(input), timestamp: startedAt });
  await rememberOrDegrade([message], input.memoryLimits, 'the message was not remembered');
}

/** Stores query and answer. If memory is unavailable, the turn is still answered, and its result says so. */
export async function rememberTurn(turn: AnsweredTurn): Promise<RememberedTurn> {
  const { input, answer, startedAt } = turn;
  const now = Date.now();
  if (input.remember === false) return { ...turn, memoryStoreTime: 0 };
  const message = turnMessage(input, { role: 'user', content: wordsOf(input), timestamp: startedAt });
  const messages = [
    // A planner has written the query of a turn that was called, so it is no word of the user.
    ...(input.calledBy === undefined ? [message] : []),
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

/** Memory keeps the names of files, and not what is in them. */
function wordsOf({ query, files }: Pick<AgentTurnInput, 'query' | 'files'>): string {
  return rememberedText(query, files);
}
