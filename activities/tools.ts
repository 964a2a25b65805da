import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { withinTime } from '../src/base/async/within-time';
import type { ToolCallOutcome } from '../src/contracts/http/tools';
import type { SettledToolStep, ToolStep, ToolStepResult } from '../src/contracts/runs/tools';
import { COUNT_LIMIT_MS } from '../src/contracts/runs/tools';
import { HoldfastError, isHoldfastError, messageOf } from '../src/base/errors';
import { stopwatch } from '../src/base/stopwatch';
import type { ToolRunner } from '../src/tools/runner';
import type { ToolOutput } from '../src/tools/tool';

/** What a workflow knows of an outcome; the run's id is added here. */
export type StepOutcome = Pick<ToolCallOutcome, 'step' | 'toolName' | 'success' | 'executionTime'>;

export interface ToolActivitiesPorts {
  readonly runner: ToolRunner;
  readonly statistics: { record(outcome: ToolCallOutcome): Promise<void> };
}

/** The steps of every workflow that runs tools. */
export interface ToolActivities {
  /** Runs one tool call and counts its final outcome. */
  runTool(step: ToolStep): Promise<ToolStepResult>;
  /** Runs several light calls at once, and counts each; one's failure is told in its place. In the order given. */
  runLightTools(steps: readonly ToolStep[]): Promise<SettledToolStep[]>;
  /** Counts a call whose activity never ran to its end. */
  recordToolCall(outcome: StepOutcome): Promise<void>;
}

/** How often a count that failed is tried again in the background, and how far apart, milliseconds. */
const RECORD_RETRIES = 30;
const RECORD_RETRY_MS = 2_000;

/**
 * Activities over injected ports. A count that cannot be written never fails or repeats a tool, and delays its end by
 * `COUNT_LIMIT_MS` at most. That is outside of the tool's own time, so counting never turns a success into a timeout.
 */
export function createToolActivities({ runner, statistics }: ToolActivitiesPorts): ToolActivities {
  function record(outcome: StepOutcome): Promise<void> {
    return withinTime(count(outcome), COUNT_LIMIT_MS, () => undefined);
  }

  /** Resolves when the call is counted, or when a count that failed is left to `recordLater`. */
  async function count(outcome: StepOutcome): Promise<void> {
    const { info, log } = Context.current();
    const runId = info.workflowExecution?.runId;
    if (runId === undefined) throw new HoldfastError('INTERNAL', 'A tool runs only inside a workflow');
    const counted = { ...outcome, runId, finishedAt: new Date().toISOString() };
    try {
      await statistics.record(counted);
    } catch (error) {
      const { toolName } = outcome;
      log.warn('A tool call could not be counted yet', { toolName, reason: messageOf(error) });
      void recordLater(counted, (reason) => {
        log.error('A tool call was not counted', { toolName, reason });
      });
    }
  }

  async function recordLater(outcome: ToolCallOutcome, giveUp: (reason: string) => void): Promise<void> {
    for (let retry = 1; ; retry += 1) {
      await delay(RECORD_RETRY_MS, undefined, { ref: false });
      try {
        return await statistics.record(outcome);
      } catch (error) {
        if (retry === RECORD_RETRIES) return giveUp(messageOf(error));
      }
    }
  }

  async function runTool(step: ToolStep): Promise<ToolStepResult> {
    const { cancellationSignal: cancellation, info } = Context.current();
    const { step: name, toolName } = step;
    const elapsed = stopwatch();
    let output: ToolOutput;
    try {
      output = await runner.run(step, { cancellation, attempt: info.attempt });
    } catch (error) {
      const willRunAgain = cancellation.aborted || (isHoldfastError(error) && error.retryable);
      if (!willRunAgain) await record({ step: name, toolName, success: false, executionTime: elapsed() });
      throw error;
    }
    const { value, logs } = output;
    const executionTime = elapsed();
    await record({ step: name, toolName, success: true, executionTime });
    return { output: value, executionTime, ...(logs?.length ? { logs } : {}) };
  }

  async function settle(step: ToolStep): Promise<SettledToolStep> {
    try {
      return { succeeded: true, result: await runTool(step) };
    } catch (error) {
      // A cancellation ends them all, and what may be tried again is tried with all of them.
      if (!isHoldfastError(error) || error.retryable) throw error;
      const { code, message, details } = error;
      return { succeeded: false, code, message, ...(details ? { details } : {}) };
    }
  }

  return {
    runTool,
    runLightTools: (steps) => Promise.all(steps.map(settle)),
    recordToolCall: record,
  };
}
