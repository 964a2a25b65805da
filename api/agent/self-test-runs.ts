import type { SelfTestInput, SelfTestResult } from '../../src/contracts/runs/agent';
import type { GenerationOptions } from '../../src/contracts/http/llm';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import { SELF_TEST_CASES } from '../../src/conversation/self-test-cases';
import { newId } from '../../src/base/ids';
import type { RequestContext } from '../http/route';
import { runTimeout } from '../runs/run-limits';
import type { CallerRuns } from '../runs/caller-runs';
import { startRun } from '../runs/start-runs';
import type { AgentRequestLimits } from './agent-requests';
import { agentRequestSchemas } from './agent-requests';
import type { AgentSettings } from './agent-runs';
import { buildTurnInput } from './agent-runs';
import type { SelfTestReport } from './self-test-report';
import { toSelfTestReport } from './self-test-report';

export interface SelfTestPorts {
  readonly client: CallerRuns;
  chooseModel(options: GenerationOptions): ModelChoice;
  readonly settings: AgentSettings & AgentRequestLimits;
}

/** Expected maximum time of a turn of the test, and of erasing its memories, milliseconds. */
const TURN_MS = 60_000;

/**
 * Creates the self-test: a run of turns with known intents, by a separate user, and a report of how the agent
 * classified them.
 */
export function createSelfTest({ client, chooseModel, settings }: SelfTestPorts) {
  const requests = agentRequestSchemas(settings);

  function buildInput(): SelfTestInput {
    const userId = `self-test-${newId()}`;
    const turns = SELF_TEST_CASES.map(({ query, description }, index) => {
      // Each turn has its own session; memories are recalled across sessions.
      const options = { userId, sessionId: `turn-${index + 1}` };
      const request = requests.execute.parse({ query, options });
      const turn = buildTurnInput(request, chooseModel(request.options), settings);
      return { turn, description };
    });
    return { userId, turns };
  }

  return async function run(context: RequestContext): Promise<SelfTestReport> {
    const result = await startRun<SelfTestResult>(
      client,
      {
        prefix: 'agent-self-test',
        asked: {},
        prepare: () =>
          Promise.resolve({
            workflowType: 'agentSelfTest',
            input: buildInput(),
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
