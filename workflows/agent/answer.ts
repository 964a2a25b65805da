import type { TurnAnswer } from '../../src/contracts/runs/turns';
import { NO_USAGE } from '../../src/contracts/runs/token-usage';
import { answerStep } from '../turns/turn-steps';
import type { AnsweredTurn, WorkedTurn } from './state';

/** Answers from what memory and tools gave. @throws ActivityFailure */
export async function answerQuery(turn: WorkedTurn): Promise<AnsweredTurn> {
  return { ...turn, answer: await answerFor(turn) };
}

async function answerFor(turn: WorkedTurn): Promise<TurnAnswer> {
  const { input, choice, classification, recalled, tools, filled, modelNotAsked } = turn;
  // maxTokens limits the answer and not the planning, so a planner's last words do where there is no such limit.
  if (tools?.answer !== undefined && choice.maxTokens === undefined) {
    const { provider, model } = tools.choice;
    return { ...tools.answer, provider, model, context: '', usage: NO_USAGE, degraded: [] };
  }
  const { query, modelLimits: limits, recall } = input;
  return answerStep({
    query,
    intent: classification.intent.type,
    recalled,
    tools: tools?.outcomes ?? [],
    filled,
    toolProblem: tools?.problem,
    // A model that could not plan is not asked again.
    ...(tools?.degraded.length ? { choice: tools.choice, modelFailed: true } : { choice }),
    ...(modelNotAsked === undefined ? {} : { modelFailed: true }),
    limits,
    withMemory: recall !== undefined,
  });
}
