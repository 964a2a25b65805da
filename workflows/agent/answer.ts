import type { TurnAnswer } from '../../src/contracts/runs/turns';
import { NO_USAGE } from '../../src/contracts/runs/token-usage';
import { answerStep } from '../turns/turn-steps';
import type { AnsweredTurn, WorkedTurn } from './state';

/** Answers from the recalled memories and the outputs of tools. @throws ActivityFailure */
export async function answerQuery(turn: WorkedTurn): Promise<AnsweredTurn> {
  return { ...turn, answer: await answerFor(turn) };
}

async function answerFor(turn: WorkedTurn): Promise<TurnAnswer> {
  const { input, budget, choice, classification, recalled, memoryProblem, tools, modelNotAsked } = turn;
  // The planner's last message is the answer, unless maxTokens is set: that limits the answer and not the planning, so
  // the answer is then asked for separately.
  if (tools?.answer !== undefined && choice.maxTokens === undefined) {
    const { provider, model } = choice;
    return { ...tools.answer, provider, model, context: '', usage: NO_USAGE, degraded: [] };
  }
  const { query, modelLimits: limits, recall } = input;
  const request = {
    query,
    userId: input.userId,
    sessionId: input.sessionId,
    ...(recall === undefined ? {} : { crossSession: recall.crossSession }),
    intent: classification.intent.type,
    recalled,
    tools: tools?.outcomes ?? [],
    toolProblem: tools?.problem,
    choice,
    ...(modelNotAsked === undefined ? {} : { modelFailed: true }),
    // A memory that failed was not searched, and the answer waits for none of its facts.
    withMemory: recall !== undefined && memoryProblem === undefined,
  };
  return budget.callLastModel(
    request.choice,
    (allowance) => answerStep({ ...request, limits: budget.fit(limits), allowance }),
    ({ usage }) => usage,
  );
}
