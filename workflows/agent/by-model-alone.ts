import type { ApplicationFailure } from '@temporalio/common';
import { fitDetail } from '../../src/contracts/json';
import type { ToolOutcome } from '../../src/contracts/http/conversations';
import { createFailure } from '../steps/failures';
import { rememberMessage } from './remember';
import type { UnderstoodTurn, WorkedTurn } from './state';
import { isModelFailure } from './turn-tools';

/**
 * Does a part of a turn that takes a model, which nothing may stand in for. If the model fails, the turn fails, and what
 * the user said is remembered.
 * @throws ApplicationFailure `MODEL_TIMEOUT` if no worker asked the model to classify; what `work` throws, with the results
 * of the tools that have run, which no result will have
 */
export async function byModelAlone<T>(
  turn: UnderstoodTurn & Pick<WorkedTurn, 'tools'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    if (turn.modelNotAsked === undefined) return await work();
    const { reason, taskQueue } = turn.modelNotAsked;
    const { provider, model } = turn.input.choice;
    throw createFailure('MODEL_TIMEOUT', reason, { provider, model, taskQueue });
  } catch (error) {
    if (!isModelFailure(error)) throw error;
    await rememberMessage(turn);
    throw withToolResults(error, turn.tools?.outcomes ?? []);
  }
}

function withToolResults(error: ApplicationFailure, outcomes: readonly ToolOutcome[]): ApplicationFailure {
  if (outcomes.length === 0) return error;
  const details: object = error.details?.[0] ?? {};
  const toolResults = fitDetail(outcomes);
  return createFailure(error.type ?? 'INTERNAL', error.message, { ...details, toolResults }, error);
}
