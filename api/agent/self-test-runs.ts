import type { SelfTestInput, SelfTestResult } from '../../src/contracts/runs/agent';
import type { GenerationOptions } from '../../src/contracts/http/llm';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import { SELF_TEST_CASES } from '../../src/conversation/self-test-cases';
import { newId } from '../../src/base/ids';
import type { Starting } from '../../requests/starting';
import { runTimeout } from '../../requests/run-limits';
import type { BudgetPolicies } from '../../requests/budget-policies';
import type { CallerRuns } from '../../requests/caller-runs';
import { startRun } from '../../requests/start-runs';
import { type AgentRequestLimits, agentRequestSchemas } from '../../requests/agent-requests';
import { type AgentSettings, buildTurnInput, withTemperature } from '../../requests/agent-runs';
import { type SelfTestReport, toSelfTestReport } from '../../requests/answers/self-test-report';

export interface SelfTestPorts {
  readonly client: CallerRuns;
  readonly budgets: Pick<BudgetPolicies, 'build'>;
  chooseModel(options: GenerationOptions): ModelChoice;
  readonly settings: AgentSettings & AgentRequestLimits;
}

/** Expected maximum time of a turn of the test, and of erasing its memories, milliseconds. */
const TURN_MS = 60_000;

/**
 * Creates the self-test: a run of turns with known intents, by a separate user, and a report of how the agent
 * classified them.
 */
export function createSelfTest({ client, budgets, chooseModel, settings }: SelfTestPorts) {
  const requests = agentRequestSchemas(settings);

  /** @param caller the user whose limits the turns share; undefined for a caller of the whole tenant */
  function buildInput(caller: string | undefined): SelfTestInput {
    const userId = `self-test-${newId()}`;
    const turns = SELF_TEST_CASES.map(({ query, description }, index) => {
      // Each turn has its own session; memories are recalled across sessions.
      const options = { userId, sessionId: `turn-${index + 1}` };
      const request = requests.execute.parse({ query, options });
      const choice = chooseModel(withTemperature(request.options));
      // The session has the name of the test too, so that it is no session of the caller's own turns.
      const sharing = { userId: caller ?? userId, sessionId: `${userId}/${options.sessionId}` };
      const budget = budgets.build(undefined, choice, sharing);
      return { turn: { ...buildTurnInput(request, choice, settings), budget }, description };
    });
    return { userId, turns };
  }

  return async function run(context: Starting): Promise<SelfTestReport> {
    const result = await startRun<SelfTestResult>(
      client,
      {
        prefix: 'agent-self-test',
        asked: {},
        prepare: () =>
          Promise.resolve({
            workflowType: 'agentSelfTest',
            input: buildInput(context.caller.userId),
            subject: { area: 'agent' },
            summary: `${SELF_TEST_CASES.length} turns whose intents are known`,
            runTimeoutMs: runTimeout(settings, (SELF_TEST_CASES.length + 1) * TURN_MS),
          }),
      },
      context,
    );
    return toSelfTestReport(result);
  };
}
