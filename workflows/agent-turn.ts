import { ApplicationFailure } from '@temporalio/common';
import type { TurnFile } from '../src/contracts/http/files';
import type { AgentTurnInput, AgentTurnResult, CalledTurnUsage } from '../src/contracts/runs/agent';
import { askByCaller } from './agent/ask-caller';
import { byModelAlone } from './agent/by-model-alone';
import { rememberTurn } from './agent/remember';
import { toResult } from './agent/result';
import { understandQuery } from './agent/understand';
import { useTools } from './agent/use-tools';
import { CalledTurns } from './planner/called-turns';
import { Approvals } from './steps/approvals';
import { createFailure } from './steps/failures';
import { RunBudget } from './steps/run-budget';
import { withStepFailure } from './steps/long-steps';
import { afterEarlierTurns } from './turns/session-order';
import { needsModel } from '../src/contracts/runs/needs-model';
import type { TurnAnswer } from '../src/contracts/runs/turns';
import { NO_USAGE } from '../src/contracts/runs/token-usage';
import { answerStep } from './turns/turn-steps';
import type { AnsweredTurn, TurnState, WorkedTurn } from './agent/state';

/**
 * Answers a message: classifies it, recalls matching memories, runs the tools it needs, answers, and remembers the
 * turn.
 * @param files those that `input` has the heads of; absent if it has none
 */
export function agentTurn(input: AgentTurnInput, files?: readonly TurnFile[]): Promise<AgentTurnResult> {
  const arrived = Date.now();
  return afterEarlierTurns(input.after, () =>
    withStepFailure(async () => {
      const startedAt = Date.now();
      const approvals = new Approvals(input.approval, input.calledBy && askByCaller(input.calledBy));
      const budget = new RunBudget(input.budget, approvals);
      const calledTurns = new CalledTurns(input, budget);
      const sessionWaitTime = startedAt - arrived;
      return withUsage({ input, files, budget, calledTurns, sessionWaitTime, startedAt }, async (turn) => {
        const understood = await understandQuery(turn);
        const worked = await useTools(understood);
        const answered = await answerQuery(worked);
        return toResult(await rememberTurn(answered));
      });
    }),
  );
}

/** Runs a turn. The failure of one that was called says what it has used, which the turn that called it counts. */
async function withUsage<T>(turn: TurnState, run: (turn: TurnState) => Promise<T>): Promise<T> {
  if (turn.input.calledBy === undefined) return run(turn);
  try {
    return await withStepFailure(() => run(turn));
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    const used: CalledTurnUsage = { runUsage: turn.budget.usage, agentTurns: turn.calledTurns.count };
    const details = { ...(error.details?.[0] as object | undefined), ...used };
    throw createFailure(error.type ?? 'INTERNAL', error.message, details, error.cause);
  }
}

/**
 * Answers from the recalled memories and the outputs of tools. By a schema or with files only a model can answer.
 * @throws ActivityFailure; then as `byModelAlone` does
 */
async function answerQuery(turn: WorkedTurn): Promise<AnsweredTurn> {
  const answer = needsModel(turn.input)
    ? await byModelAlone(turn, () => answerFor(turn))
    : await answerFor(turn);
  return { ...turn, answer };
}

async function answerFor(turn: WorkedTurn): Promise<TurnAnswer> {
  const { input, files, budget, choice, classification, recalled, memoryProblem, tools, modelNotAsked } =
    turn;
  const { instructions, responseSchema } = input;
  // The planner's last message is the answer, unless maxTokens is set, which limits the answer and not the planning, or
  // a schema. The answer is then asked for separately.
  if (tools?.answer !== undefined && choice.maxTokens === undefined && responseSchema === undefined) {
    const { provider, model } = choice;
    return { ...tools.answer, provider, model, context: '', usage: NO_USAGE, degraded: [] };
  }
  const { query, modelLimits: limits, recall } = input;
  const request = {
    query,
    files: input.files,
    userId: input.userId,
    sessionId: input.sessionId,
    crossSession: recall?.crossSession,
    intent: classification.intent.type,
    recalled,
    tools: tools?.outcomes ?? [],
    toolProblem: tools?.problem,
    instructions,
    responseSchema,
    earlier: input.earlier,
    choice,
    modelFailed: modelNotAsked === undefined ? undefined : true,
    // A memory that failed was not searched, and the answer waits for none of its facts.
    withMemory: recall !== undefined && memoryProblem === undefined,
  };
  return budget.callLastModel(
    request.choice,
    (allowance) => answerStep({ ...request, limits: budget.fit(limits), allowance }, files),
    ({ usage }) => usage,
  );
}
