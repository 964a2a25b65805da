import {
  type AgentAnswer,
  DEFAULT_DETAIL_LEVEL,
  type TurnMemoryContext,
} from '../../src/contracts/http/agent';
import type { AgentTurnInput, AgentTurnResult } from '../../src/contracts/runs/agent';
import type { Recalled, SessionName } from '../../src/contracts/http/conversations';
import { NOTHING_RECALLED } from '../../src/contracts/runs/turns';

/** The options of a turn on which its response depends. The request has them, and so has the input of the run. */
export type AnswerOptions = Pick<AgentTurnInput, 'userId' | 'sessionId' | 'responseDetailLevel'>;

/** Builds the response to a turn, at the level of detail that its caller asked for. Pure. */
export function toAgentAnswer(result: AgentTurnResult, options: AnswerOptions): AgentAnswer {
  const { responseDetailLevel: level = DEFAULT_DETAIL_LEVEL } = options;
  const { response, classification, recalled, toolResults, times, runUsage } = result;
  const used = runUsage === undefined ? {} : { usage: runUsage };
  const structured = result.output === undefined ? {} : { output: result.output };
  const cut = result.finishReason === undefined ? {} : { finishReason: result.finishReason };
  const { intent } = classification;
  const { type, confidence, reasoning } = intent;
  const { degraded } = result;
  if (level === 'minimal') {
    const reported = degraded.length === 0 ? {} : { degraded: [...degraded] };
    return {
      success: true,
      response,
      ...structured,
      ...cut,
      intent: { type, confidence },
      ...used,
      ...reported,
    };
  }
  const memories = recalled ?? NOTHING_RECALLED;
  return {
    success: true,
    response,
    ...structured,
    ...cut,
    intent,
    memoryContext: recalled && buildMemoryContext(recalled, options, result.startedAt),
    toolResults: [...toolResults],
    reasoning,
    ...used,
    metadata: {
      agent: result.agent,
      ...times,
      memoryRetrieved: memories.episodic.length + memories.semantic.length,
      toolsExecuted: toolResults.length,
      confidence,
      provider: result.provider,
      modelUsed: result.model,
      sources: [...result.sources],
      ...(result.facts === undefined ? {} : { facts: [...result.facts] }),
      remembered: result.remembered,
      degraded: [...degraded],
      toolProblem: result.toolProblem,
      ...(level === 'full'
        ? {
            usage: result.usage,
            classification: classification.metadata,
            executionPlan: classification.executionPlan,
          }
        : {}),
    },
  };
}

function buildMemoryContext(
  { episodic, semantic }: Recalled,
  { userId, sessionId }: SessionName,
  startedAt: string,
): TurnMemoryContext {
  const times = episodic.map(({ timestamp }) => timestamp).sort();
  const scores = [
    ...episodic.map(({ relevanceScore }) => relevanceScore),
    ...semantic.map(({ similarityScore }) => similarityScore),
  ];
  const sum = scores.reduce((total, score) => total + score, 0);
  return {
    userId,
    sessionId,
    episodicMemories: [...episodic],
    semanticMemories: [...semantic],
    contextWindow: {
      startTime: times[0] ?? startedAt,
      endTime: times.at(-1) ?? startedAt,
      relevanceScore: scores.length === 0 ? 0 : sum / scores.length,
    },
  };
}
