import type { AgentTurnInput, AgentTurnResult } from '../src/contracts/runs/agent';
import { answerQuery } from './agent/answer';
import { rememberTurn } from './agent/remember';
import { toResult } from './agent/result';
import { understandQuery } from './agent/understand';
import { useTools } from './agent/use-tools';
import { failingAsItsSteps } from './steps/long-steps';
import { inItsTurn } from './turns/session-turn';

/** Answers a message: classifies it, recalls what fits, runs the tools it needs, answers, and remembers the turn. */
export function agentTurn(input: AgentTurnInput): Promise<AgentTurnResult> {
  const arrived = Date.now();
  return inItsTurn(input.after, () =>
    failingAsItsSteps(async () => {
      const startedAt = Date.now();
      const understood = await understandQuery({ input, sessionWaitTime: startedAt - arrived, startedAt });
      const worked = await useTools(understood);
      const answered = await answerQuery(worked);
      return toResult(await rememberTurn(answered));
    }),
  );
}
