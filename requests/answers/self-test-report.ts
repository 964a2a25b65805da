import type { z } from 'zod';
import type { selfTestReportSchema } from '../../src/contracts/http/agent';
import type { SelfTestOutcome, SelfTestResult } from '../../src/contracts/runs/agent';
import { MODEL_NEEDED } from '../../src/conversation/model-needed';
import { SELF_TEST_CASES, type SelfTestCase } from '../../src/conversation/self-test-cases';
import { type AnswerOptions, toAgentAnswer } from './agent-answer';

export type SelfTestReport = z.input<typeof selfTestReportSchema>;

/** Builds the report of a self-test. Pure. */
export function toSelfTestReport({ outcomes, leftBehind }: SelfTestResult): SelfTestReport {
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
      needModel: testResults.filter(({ needsModel }) => needsModel).length,
      accuracy: right / testResults.length,
      averageConfidence: confidences.length === 0 ? 0 : sum / confidences.length,
      degraded: testResults.filter(({ metadata }) => metadata?.degraded.length !== 0).length,
    },
    leftBehind,
  };
}

function toTestResult(
  { query, description, expectedIntent, expectedContent, needsModel }: SelfTestCase,
  outcome: SelfTestOutcome | undefined,
): SelfTestReport['testResults'][number] {
  const turn = {
    query,
    description,
    expectedIntent,
    expectedContent: expectedContent?.what,
  };
  if (outcome === undefined || 'error' in outcome) {
    const reason = outcome?.error.message ?? 'the turn was not taken';
    const problem = `the turn failed: ${reason}`;
    return { ...turn, actualIntent: null, confidence: null, success: false, problem, response: reason };
  }
  // The report has nothing of the session, which is only in the memories of an answer.
  const options: AnswerOptions = { userId: '', sessionId: '', responseDetailLevel: 'standard' };
  const { intent, response, reasoning, metadata } = toAgentAnswer(outcome.result, options);
  const isLeftOut = needsModel === true && isWithoutModel(response);
  const isRight = isLeftOut || (expectedContent?.pattern.test(response) ?? true);
  return {
    ...turn,
    actualIntent: intent.type,
    confidence: intent.confidence,
    success: isRight,
    problem: isRight ? undefined : `the response does not say "${expectedContent?.what ?? ''}"`,
    ...(isLeftOut ? { needsModel } : {}),
    response,
    reasoning,
    metadata,
  };
}

/** Whether a response says that it takes a model which is not configured or not chosen, in contrast to one that failed. */
function isWithoutModel(response: string): boolean {
  return [MODEL_NEEDED['not-configured'], MODEL_NEEDED['not-chosen']].some((text) => response.includes(text));
}
