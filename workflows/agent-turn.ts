import type { AgentTurnInput, AgentTurnResult } from '../src/contracts/runs/agent';
import { rememberTurn } from './agent/remember';
import { toResult } from './agent/result';
import { understandQuery } from './agent/understand';
import { useTools } from './agent/use-tools';
import { Approvals } from './steps/approvals';
import { RunBudget } from './steps/run-budget';
import { withStepFailure } from './steps/long-steps';
import { afterEarlierTurns } from './turns/session-order';
import type { TurnAnswer } from '../src/contracts/runs/turns';
import { NO_USAGE } from '../src/contracts/runs/token-usage';
import { answerStep } from './turns/turn-steps';
import type { AnsweredTurn, WorkedTurn } from './agent/state';

/**
 * Answers a message: classifies it, recalls matching memories, runs the tools it needs, answers, and remembers the
 * turn.
 */
export function agentTurn(input: AgentTurnInput): Promise<AgentTurnResult> {
  const arrived = Date.now();
  return afterEarlierTurns(input.after, () =>
    withStepFailure(async () => {
      const startedAt = Date.now();
      const budget = new RunBudget(input.budget, new Approvals(input.approval));
      const sessionWaitTime = startedAt - arrived;
      const understood = await understandQuery({ input, budget, sessionWaitTime, startedAt });
      const worked = await useTools(understood);
      const answered = await answerQuery(worked);
      return toResult(await rememberTurn(answered));
    }),
  );
}

/** Answers from the recalled memories and the outputs of tools. @throws ActivityFailure */
async function answerQuery(turn: WorkedTurn): Promise<AnsweredTurn> {
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
