import type { TurnAnswer } from '../../src/contracts/runs/turns';
import { NO_USAGE } from '../../src/contracts/runs/token-usage';
import { answerStep } from '../turns/turn-steps';
import type { AnsweredTurn, WorkedTurn } from './state';

/** Minimum probability of `hybrid` at which a query that rules could not read is answered as one. */
const MIN_HYBRID = 0.25;

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
    intent: isUnreadHybrid(turn) ? 'hybrid' : classification.intent.type,
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

/**
 * Whether rules could read no call in a query that may refer to memory. It is answered like one that does, by a quotation.
 */
function isUnreadHybrid({ choice, classification, tools }: WorkedTurn): boolean {
  const { alternatives = [] } = classification.metadata;
  const isUnread = tools?.problem !== undefined && tools.outcomes.length === 0;
  const isLikely = alternatives.some(({ type, confidence }) => type === 'hybrid' && confidence >= MIN_HYBRID);
  return isUnread && isLikely && choice.provider === 'builtin';
}
