import { Context } from '@temporalio/activity';
import type { ToolCallOutcome } from '../src/contracts/tools';
import type { ToolStep, ToolStepResult } from '../src/contracts/runs';
import { HoldfastError, isHoldfastError, messageOf } from '../src/errors';
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
  /** Counts a call whose activity never ran to its end. */
  recordToolCall(outcome: StepOutcome): Promise<void>;
}

/** Activities over injected ports. A figure that cannot be counted is logged and never fails or repeats a tool. */
export function createToolActivities({ runner, statistics }: ToolActivitiesPorts): ToolActivities {
  async function record(outcome: StepOutcome): Promise<void> {
    const { info, log } = Context.current();
    const runId = info.workflowExecution?.runId;
    if (runId === undefined) throw new HoldfastError('INTERNAL', 'A tool runs only inside a workflow');
    try {
      await statistics.record({ ...outcome, runId, finishedAt: new Date().toISOString() });
    } catch (error) {
      log.error('A tool call could not be counted', { toolName: outcome.toolName, error: messageOf(error) });
    }
  }

  return {
    async runTool(step) {
      const { cancellationSignal: cancellation, info } = Context.current();
      const { step: name, toolName } = step;
      const started = performance.now();
      const elapsed = (): number => Math.round((performance.now() - started) * 1_000) / 1_000;
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
    },
    recordToolCall: record,
  };
}
