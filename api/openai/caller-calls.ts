import { computeDigest } from '../../src/base/ids';
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

/** The calls that a run hands to its caller, among all that it waits for. Pure. */
export function handedCalls(approvals: readonly Approval[]): readonly HandedCall[] {
  return approvals
    .filter(({ kind }) => kind === 'output')
    .map(({ id, toolName = '', args }) => ({
      callId: PREFIX + id,
      name: toolName,
      args: JSON.stringify(args),
    }));
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
    return JSON.parse(output) as unknown;
  } catch {
    return output;
  }
}

/**
 * Cancels the turn before one that was refused, if that turn waits for outputs which its conversation did not send.
 * @returns whether the refused turn may be started again, behind the cancelled one
 */
export async function cancelOpenCalls(
  error: unknown,
  { engine, shown }: Pick<OpenAiPorts, 'engine' | 'shown'>,
  { owner, admit }: Pick<OpenAiContext, 'owner' | 'admit'>,
): Promise<boolean> {
  if (!isHoldfastError(error) || error.code !== 'SESSION_WAITING') return false;
  const { approvals } = error.details as { readonly approvals: readonly Approval[] };
  if (approvals.some(({ kind }) => kind !== 'output')) return false;
  for (const { id, runId } of approvals) {
    const run = { traceId: runId, workflowId: runOfApproval(toWorkflowId(id)) };
    const reason = 'its conversation went on without the output of a call';
    await stopRun(engine, { ...shown, owner, admit }, run, { how: 'cancel', reason });
  }
  return true;
}

/** The workflow id of the run that an approval belongs to. Pure. */
function runOfApproval(workflowId: string): string {
  return workflowId.slice(0, workflowId.lastIndexOf(`/${APPROVAL_TYPE}/`));
}
