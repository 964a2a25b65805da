import type { z } from 'zod';
import type { selfTestReportSchema } from '../../src/contracts/http/agent';
import type { SelfTestInput, SelfTestOutcome, SelfTestResult } from '../../src/contracts/runs/agent';
import type { GenerationOptions } from '../../src/contracts/http/llm';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import type { SelfTestCase } from '../../src/conversation/self-test-cases';
import { SELF_TEST_CASES } from '../../src/conversation/self-test-cases';
import { newId } from '../../src/base/ids';
import type { RunClient } from '../../temporal/run-client';
import type { RequestContext } from '../http/route';
import { runTimeout } from '../runs/run-limits';
import { startRun } from '../runs/start-runs';
import { toAgentAnswer } from './agent-answer';
import type { AgentRequestLimits } from './agent-requests';
import { agentRequestSchemas } from './agent-requests';
import type { AgentSettings } from './agent-runs';
import { buildTurnInput } from './agent-runs';

export type SelfTestReport = z.input<typeof selfTestReportSchema>;

export interface SelfTestPorts {
  readonly client: RunClient;
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
    return buildReport(result);
  };
}

function buildReport({ outcomes, leftBehind }: SelfTestResult): SelfTestReport {
  const testResults = SELF_TEST_CASES.map((each, index) => toTestResult(each, outcomes[index]));
  const right = testResults.filter(
    ({ actualIntent, expectedIntent }) => actualIntent === expectedIntent,
  ).length;
  const confidences = testResults.flatMap(({ confidence }) => confidence ?? []);
  const sum = confidences.reduce((total, confidence) => total + confidence, 0);
  return {
    testResults,
    summary: {
      totalTests: testResults.length,
      successfulExecutions: testResults.filter(({ success }) => success).length,
      accuracy: right / testResults.length,
      averageConfidence: confidences.length === 0 ? 0 : sum / confidences.length,
      degraded: testResults.filter(({ metadata }) => metadata?.degraded.length !== 0).length,
    },
    leftBehind,
  };
}

function toTestResult(
  { query, description, expectedIntent, expectedContent }: SelfTestCase,
  outcome: SelfTestOutcome | undefined,
): SelfTestReport['testResults'][number] {
  const asked = {
    query,
    description,
    expectedIntent,
    expectedContent: expectedContent?.what,
  };
  if (outcome === undefined || 'error' in outcome) {
    const reason = outcome?.error.message ?? 'the turn was not taken';
    const problem = `the turn failed: ${reason}`;
    return { ...asked, actualIntent: null, confidence: null, success: false, problem, response: reason };
  }
  const session = { userId: '', sessionId: '' };
  const { intent, response, reasoning, metadata } = toAgentAnswer(outcome.result, 'standard', session);
  const isRight = expectedContent?.pattern.test(response) ?? true;
  return {
    ...asked,
    actualIntent: intent.type,
    confidence: intent.confidence,
    success: isRight,
    problem: isRight ? undefined : `the response does not say "${expectedContent?.what ?? ''}"`,
    response,
    reasoning,
    metadata,
  };
}
