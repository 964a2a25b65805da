import { computeDigest } from '../../src/base/ids';
import { isHoldfastError, validationError } from '../../src/base/errors';
import type { Approval } from '../../src/contracts/http/approvals';
import { APPROVAL_TYPE } from '../../src/contracts/runs/approvals';
import { answerApproval } from '../../temporal/approvals/answer-approval';
import { findApproval } from '../../temporal/approvals/read-approval';
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
    const found = await findApproval(engine, taskQueue, id, owner).catch((error: unknown) => {
      if (isHoldfastError(error) && error.code === 'APPROVAL_NOT_FOUND') return undefined;
      throw error;
    });
    if (found?.question.kind !== 'output' || !callId.startsWith(PREFIX))
      throw validationError(field, `no call has the id "${callId.slice(0, 64)}"`);
    const value = toValue(output);
    await answerApproval(engine, taskQueue, found, {
      decision: 'approve',
      output: value,
      outputDigest: computeDigest(value),
    });
    const [workflowId = ''] = found.workflowId.split(`/${APPROVAL_TYPE}/`);
    continued = { run: { workflowId, runId: found.question.runId }, lastCall: id };
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
 * Has a turn go on without the outputs of an earlier one, which its conversation did not send. Then the earlier turn ends.
 * @returns whether the error was that such a turn waits
 */
export async function endOpenCalls(
  error: unknown,
  { engine, shown: { taskQueue } }: Pick<OpenAiPorts, 'engine' | 'shown'>,
  { owner }: Pick<OpenAiContext, 'owner'>,
): Promise<boolean> {
  if (!isHoldfastError(error) || error.code !== 'SESSION_WAITING') return false;
  const { approvals } = error.details as { readonly approvals: readonly Approval[] };
  if (approvals.some(({ kind }) => kind !== 'output')) return false;
  for (const { id } of approvals) {
    const found = await findApproval(engine, taskQueue, id, owner);
    const comment = 'the conversation went on without its output';
    await answerApproval(engine, taskQueue, found, { decision: 'deny', comment }).catch(
      (failure: unknown) => {
        const hasEnded =
          isHoldfastError(failure) && ['APPROVAL_ANSWERED', 'APPROVAL_EXPIRED'].includes(failure.code);
        if (!hasEnded) throw failure;
      },
    );
  }
  return true;
}
