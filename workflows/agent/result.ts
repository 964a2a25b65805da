import type { AgentTurnResult } from '../../src/contracts/runs/agent';
import type { Degradation } from '../../src/contracts/http/conversations';
import { NOT_CLASSIFIED } from '../../src/contracts/intent-types';
import { addUsage } from '../../src/contracts/runs/token-usage';
import type { RememberedTurn } from './state';
import { NOT_ANSWERED } from '../../src/contracts/constants';

/** Builds the result of a turn for its caller. */
export function toResult(turn: RememberedTurn): AgentTurnResult {
  const { input, classification, recalled, tools, answer, startedAt } = turn;
  return {
    response: answer.text,
    output: answer.output,
    classification,
    recalled: input.recall && recalled,
    toolResults: tools?.outcomes ?? [],
    toolProblem: tools?.problem,
    sources: answer.sources,
    facts: answer.facts,
    provider: answer.provider,
    model: answer.model,
    finishReason: answer.finishReason,
    usage: tools === undefined ? answer.usage : addUsage(tools.usage, answer.usage),
    runUsage: turn.budget.usage,
    ...(input.agents === undefined && input.calledBy === undefined
      ? {}
      : { agentTurns: turn.calledTurns.count }),
    degraded: degradations(turn),
    remembered: input.remember !== false && turn.notRemembered === undefined,
    agent: input.agent,
    times: {
      sessionWaitTime: turn.sessionWaitTime,
      intentClassificationTime: classification.metadata.classificationTime,
      memorySearchTime: turn.memorySearchTime,
      toolExecutionTime: tools?.time ?? 0,
      llmResponseTime: answer.time,
      memoryStoreTime: turn.memoryStoreTime,
      executionTime: Date.now() - startedAt,
    },
    startedAt: new Date(startedAt).toISOString(),
  };
}

const NOT_CLASSIFIED_TEXT = 'the query was not classified';

/** Lists what the turn had to do without, in the order of its steps. */
function degradations(turn: RememberedTurn): Degradation[] {
  const { classification, recalled, memoryProblem, tools, answer, modelNotAsked, notRemembered } = turn;
  const { fallback, modelUsed } = classification.metadata;
  const isClassified = modelUsed !== NOT_CLASSIFIED;
  // If rules could not answer either, `answer.degraded` has an entry that says so.
  const isAnswered = answer.provider !== NOT_ANSWERED;
  return [
    ...(fallback === undefined
      ? []
      : [llmDown(fallback, isClassified ? 'the built-in rules classified the query' : NOT_CLASSIFIED_TEXT)]),
    ...recalled.degraded,
    ...(memoryProblem === undefined ? [] : [memoryProblem]),
    ...(modelNotAsked === undefined || !isAnswered
      ? []
      : [llmDown(modelNotAsked.reason, 'the built-in rules answered')]),
    ...planningDegradations(tools?.degraded, answer.degraded),
    ...answer.degraded,
    ...turn.calledTurns.degraded,
    ...(notRemembered === undefined ? [] : [notRemembered]),
  ];
}

/** Lists what the planner did without. What the answer did without for the same reason says it already. */
function planningDegradations(
  ofPlan: readonly Degradation[] = [],
  ofAnswer: readonly Degradation[],
): readonly Degradation[] {
  return ofPlan.filter(({ reason }) => ofAnswer.every((other) => other.reason !== reason));
}

function llmDown(reason: string, consequence: string): Degradation {
  return { service: 'llm', reason, consequence };
}
