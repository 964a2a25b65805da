import type { AgentTurnInput, AgentTurnResult } from '../src/contracts/runs/agent';
import { answerQuery } from './agent/answer';
import { rememberTurn } from './agent/remember';
import { toResult } from './agent/result';
import { understandQuery } from './agent/understand';
import { useTools } from './agent/use-tools';
import { Approvals } from './steps/approvals';
import { RunBudget } from './steps/run-budget';
import { withStepFailure } from './steps/long-steps';
import { afterEarlierTurns } from './turns/session-order';

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
