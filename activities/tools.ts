import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { RawValue } from '@temporalio/common';
import type { ToolCallOutcome } from '../src/contracts/http/tools';
import { ownerOfRun } from '../src/contracts/runs/run-owner';
import {
  COUNT_LIMIT_MS,
  type SettledToolStep,
  type ToolStep,
  type ToolStepResult,
} from '../src/contracts/runs/tools';
import { HoldfastError, isHoldfastError, messageOf } from '../src/base/errors';
import {
  FollowingCallResolver,
  type FollowingOutcome,
  type LeadingResult,
  type LeadingStep,
} from '../src/templates/following-calls';
import { namingFailure } from './naming-failure';
import { noteUnsent, sentMarkOf } from './sent-mark';
import { stopwatch } from '../src/base/stopwatch';
import type { ToolRunner } from '../src/tools/runner';
import type { ToolOutput } from '../src/tools/tool';
import { OUTPUT_AT } from '../src/contracts/runs/outputs';
import { withinTime } from '../src/base/async/time-limit';

/** The outcome of a call as the workflow knows it. The activity adds the run's id. */
export type StepOutcome = Pick<ToolCallOutcome, 'step' | 'toolName' | 'success' | 'executionTime'>;

export interface ToolActivitiesPorts {
  readonly runner: ToolRunner;
  readonly statistics: { record(outcome: ToolCallOutcome): Promise<void> };
  /** Epoch milliseconds by the clock of the Temporal server, which deadlines are of; default `Date.now`. */
  readonly now?: () => number;
}

/** The steps that every workflow with tool calls has. */
export interface ToolActivities {
  /**
   * Runs one tool call and counts its final outcome. With `following`, it then runs those calls in order and counts
   * each, until one fails or is not inline.
   * @throws HoldfastError as `ToolRunner.run` does, if the first call fails
   */
  runTool(step: LeadingStep): Promise<LeadingResult>;
  /**
   * Runs several inline calls at once and counts each. The name of the activity is in stored histories.
   * @returns one entry a call, in the order given; a call that failed has its error in its entry
   */
  runLightTools(steps: readonly ToolStep[]): Promise<SettledToolStep[]>;
  /** Counts a call whose own activity did not run to its end. */
  recordToolCall(outcome: StepOutcome): Promise<void>;
}

/** The result of a call, with the text of its output in its place if it is large. */
type CallResult = ToolStepResult & { readonly json: Uint8Array | undefined };

/** A count that failed is retried in the background up to this number of times, with this pause in milliseconds. */
const RECORD_RETRIES = 30;
const RECORD_RETRY_MS = 2_000;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/**
 * Creates the tool activities over injected ports. A count that cannot be written never fails or repeats a tool; it
 * delays the activity's end by at most `COUNT_LIMIT_MS`. That delay is outside of the tool's own time, so counting
 * never turns a success into a timeout.
 */
export function createToolActivities(ports: ToolActivitiesPorts): ToolActivities {
  const { runner, statistics, now = Date.now } = ports;

  function record(outcome: StepOutcome): Promise<void> {
    return withinTime(count(outcome), COUNT_LIMIT_MS, () => undefined);
  }

  /** Resolves when the call is counted, or when a failed count is handed to `recordLater`. */
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

  /** Runs calls. Their counts are written together, and `run` ends when they are. */
  async function counting<T>(run: (counts: Promise<void>[]) => Promise<T>): Promise<T> {
    const counts: Promise<void>[] = [];
    try {
      return await run(counts);
    } finally {
      await Promise.all(counts);
    }
  }

  /** Runs a call. The times come first in the result, so that a log reads them without the output, which may be long. */
  async function runCall(step: ToolStep, counts: Promise<void>[]): Promise<CallResult> {
    const context = Context.current();
    const { cancellationSignal: cancellation, info } = context;
    const { step: name, toolName } = step;
    const elapsed = stopwatch();
    const { workflowId = '' } = info.workflowExecution ?? {};
    const sent = sentMarkOf(context);
    let output: ToolOutput;
    try {
      const owner = ownerOfRun(workflowId);
      output = await runner.run(step, { owner, cancellation, attempt: info.attempt, sent, workflowId });
    } catch (error) {
      const willRunAgain = cancellation.aborted || (isHoldfastError(error) && error.retryable);
      if (willRunAgain && !info.isLocal) noteUnsent(context, sent);
      if (!willRunAgain) {
        counts.push(record({ step: name, toolName, success: false, executionTime: elapsed() }));
      }
      throw error;
    }
    const { value, json, logs } = output;
    const executionTime = elapsed();
    counts.push(record({ step: name, toolName, success: true, executionTime }));
    return { executionTime, logs: logs?.length ? logs : undefined, output: value, json };
  }

  async function settleCall(step: ToolStep, counts: Promise<void>[]): Promise<SettledToolStep> {
    const name = { step: step.step, toolName: step.toolName };
    try {
      return { ...name, succeeded: true, result: parsed(await runCall(step, counts)) };
    } catch (error) {
      // A cancellation ends all calls, and a retryable failure repeats the activity with all of them.
      if (!isHoldfastError(error) || error.retryable) throw error;
      const { code, message, details } = error;
      return { ...name, succeeded: false, code, message, details };
    }
  }

  async function runLeading(
    { following, ...step }: LeadingStep,
    counts: Promise<void>[],
  ): Promise<LeadingResult> {
    const { limits, toolName } = step;
    const name = { step: step.step, toolName };
    const result = await namingFailure(name, () => runCall(step, counts));
    if (following === undefined && result.json !== undefined)
      return written({ ...name, ...result }, result.json);
    const first = { ...name, ...parsed(result) };
    if (following === undefined) return first;
    const outcomes: FollowingOutcome[] = [];
    const resolver = new FollowingCallResolver(following);
    let mayFollow = resolver.note(step.step, first.output);
    for (const next of following.calls) {
      const call = mayFollow ? resolver.resolve(next) : undefined;
      if (call === undefined) break;
      if (call === 'skipped') continue;
      const deadline = now() + limits.timeoutMs;
      const settled = await settleCall({ ...call, step: next.step, limits, deadline }, counts);
      outcomes.push({ ...settled, step: next.step });
      mayFollow = settled.succeeded && resolver.note(next.step, settled.result.output);
    }
    return { ...first, following: outcomes };
  }

  return {
    runTool: (step) => counting((counts) => runLeading(step, counts)),
    runLightTools: (steps) =>
      counting((counts) => Promise.all(steps.map((step) => settleCall(step, counts)))),
    recordToolCall: record,
  };
}

/** Only calls whose outputs are short share an activity, so this hardly ever parses one. */
function parsed({ json, ...result }: CallResult): ToolStepResult {
  return json === undefined
    ? result
    : { ...result, output: JSON.parse(Buffer.from(json).toString('utf8')) as unknown };
}

/** Writes the result of an activity around the text of its output. The SDK passes it on as it is. */
function written({ step, toolName, executionTime, logs }: LeadingResult, json: Uint8Array): LeadingResult {
  const named = JSON.stringify({ step, toolName, executionTime, logs });
  const before = Buffer.from(`${named.slice(0, -1)},"output":`);
  // A workflow reads a part of an object or list when it needs one. A long text is short work for it.
  const mayWait = json[0] === OPEN_BRACE || json[0] === OPEN_BRACKET;
  const metadata: Record<string, Uint8Array> = { encoding: Buffer.from('json/plain') };
  if (mayWait) metadata[OUTPUT_AT] = Buffer.from(String(before.length));
  const data = Buffer.concat([before, json, Buffer.from('}')]);
  return RawValue.fromPayload({ metadata, data }) as unknown as LeadingResult;
}
