import { setTimeout as delay } from 'node:timers/promises';
import { computeDigest } from '../../src/base/ids';
import { parseJson } from '../../src/base/json/parse';
import { isHoldfastError, validationError } from '../../src/base/errors';
import type { Approval } from '../../src/contracts/http/approvals';
import { APPROVAL_TYPE } from '../../src/contracts/runs/approvals';
import { answerApproval } from '../../temporal/approvals/answer-approval';
import { toWorkflowId } from '../../temporal/approval';
import { findApproval } from '../../temporal/approvals/read-approval';
import { stopRun } from '../../temporal/runs/stop-run';
import type { StartedRun } from '../../temporal/runs/started-run';
import type { OpenAiContext, OpenAiPorts } from './ports';

const PREFIX = 'call_';

/** The output of a call that was handed to the caller. */
export interface CallOutput {
  /** The id that the call was handed over with. */
  readonly callId: string;
  readonly output: string;
  /** The parameter that has it. */
  readonly field: string;
}

/** A call of a tool of the caller, as both protocols have it. */
export interface HandedCall {
  readonly callId: string;
  readonly name: string;
  /** JSON. */
  readonly args: string;
}

/**
 * Reads the calls that a run hands to its caller, among all that it waits for, with all of their arguments: the caller runs them.
 * @throws HoldfastError `ENGINE_UNAVAILABLE`
 */
export function readHandedCalls(
  approvals: readonly Approval[],
  { engine, shown: { taskQueue } }: Pick<OpenAiPorts, 'engine' | 'shown'>,
  { owner }: Pick<OpenAiContext, 'owner'>,
): Promise<readonly HandedCall[]> {
  return Promise.all(
    approvals
      .filter(({ kind }) => kind === 'output')
      .map(async ({ id, toolName = '' }) => {
        const { question } = await findApproval(engine, taskQueue, id, owner);
        return { callId: PREFIX + id, name: toolName, args: JSON.stringify(question.args) };
      }),
  );
}

/**
 * Tells which of the questions in the log of a run are past: those up to the call that was answered last, and of the others those
 * that are answered, unless the caller was handed them.
 * @param lastCall undefined for a request that answers no call
 */
export function pastQuestions(
  lastCall: string | undefined,
  { engine, shown: { taskQueue } }: Pick<OpenAiPorts, 'engine' | 'shown'>,
  { owner }: Pick<OpenAiContext, 'owner'>,
): (approval: Approval) => Promise<boolean> {
  let isReached = lastCall === undefined;
  return async ({ id, kind }) => {
    if (!isReached) {
      isReached = id === lastCall;
      return true;
    }
    if (kind === 'output' && lastCall !== undefined) return false;
    return (await findApproval(engine, taskQueue, id, owner)).approval.status !== 'pending';
  };
}

/** A run that continues with outputs, and the last call that has one. */
export interface ContinuedRun {
  readonly run: StartedRun;
  readonly lastCall: string;
}

/**
 * Gives a run the outputs that it waits for. The same output again changes nothing.
 * @throws HoldfastError `VALIDATION` for a call that the caller was not handed; `APPROVAL_ANSWERED` or `APPROVAL_EXPIRED` if the run does
 *   not wait for it any more; `ENGINE_UNAVAILABLE`
 */
export async function giveOutputs(
  outputs: readonly CallOutput[],
  { engine, shown: { taskQueue } }: Pick<OpenAiPorts, 'engine' | 'shown'>,
  { owner }: Pick<OpenAiContext, 'owner'>,
): Promise<ContinuedRun> {
  let continued: ContinuedRun | undefined;
  for (const { callId, output, field } of outputs) {
    const id = callId.slice(PREFIX.length);
    const foundApproval = await findApproval(engine, taskQueue, id, owner).catch((error: unknown) => {
      if (isHoldfastError(error) && error.code === 'APPROVAL_NOT_FOUND') return undefined;
      throw error;
    });
    if (foundApproval?.question.kind !== 'output' || !callId.startsWith(PREFIX))
      throw validationError(field, `no call has the id "${callId.slice(0, 64)}"`);
    const value = toValue(output);
    await answerApproval(engine, taskQueue, foundApproval, {
      decision: 'approve',
      output: value,
      outputDigest: computeDigest(value),
    });
    continued = {
      run: { workflowId: runOfApproval(foundApproval.workflowId), runId: foundApproval.question.runId },
      lastCall: id,
    };
  }
  if (continued === undefined) throw validationError('tool_call_id', 'there is no output');
  return continued;
}

/** Objects and lists are what they say, so that the built-in rules can answer with their values. Pure. */
function toValue(output: string): unknown {
  if (!/^\s*[[{]/.test(output)) return output;
  try {
    return parseJson(output);
  } catch {
    return output;
  }
}

/** How long a cancelled turn may take to end, and how often it is looked at, milliseconds. */
const CANCEL_LIMIT_MS = 10_000;
const LOOK_EVERY_MS = 250;

/**
 * Makes a turn. If the turn before it waits for outputs that its conversation did not send, that one is cancelled first.
 * @throws as `make` does
 */
export async function afterOpenCalls<T>(
  make: () => Promise<T>,
  ports: Pick<OpenAiPorts, 'engine' | 'shown'>,
  context: Pick<OpenAiContext, 'owner' | 'admit' | 'signal'>,
): Promise<T> {
  const until = performance.now() + CANCEL_LIMIT_MS;
  for (;;) {
    try {
      return await make();
    } catch (error) {
      const openCalls = openCallsIn(error);
      if (openCalls.length === 0 || performance.now() > until) throw error;
      for (const call of openCalls) await cancelRunOf(call, ports, context);
      await delay(LOOK_EVERY_MS, undefined, { signal: context.signal() });
    }
  }
}

/** The calls that the turn before a refused one waits for; empty if that is not all that it waits for. Pure. */
function openCallsIn(error: unknown): readonly Approval[] {
  if (!isHoldfastError(error) || error.code !== 'SESSION_WAITING') return [];
  const { approvals } = error.details as { readonly approvals: readonly Approval[] };
  return approvals.every(({ kind }) => kind === 'output') ? approvals : [];
}

async function cancelRunOf(
  { id, runId }: Approval,
  { engine, shown }: Pick<OpenAiPorts, 'engine' | 'shown'>,
  { owner, admit }: Pick<OpenAiContext, 'owner' | 'admit'>,
): Promise<void> {
  const run = { traceId: runId, workflowId: runOfApproval(toWorkflowId(id)) };
  const reason = 'its conversation went on without the output of a call';
  await stopRun(engine, { ...shown, owner, admit }, run, { how: 'cancel', reason });
}

/** The workflow id of the run that an approval belongs to. Pure. */
function runOfApproval(workflowId: string): string {
  return workflowId.slice(0, workflowId.lastIndexOf(`/${APPROVAL_TYPE}/`));
}
