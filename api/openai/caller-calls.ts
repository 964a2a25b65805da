import { setTimeout as delay } from 'node:timers/promises';
import { isHoldfastError } from '../../src/base/errors';
import type { Approval } from '../../src/contracts/http/approvals';
import { APPROVAL_TYPE } from '../../src/contracts/runs/approvals';
import { toWorkflowId } from '../../temporal/approval';
import { findApproval } from '../../temporal/approvals/read-approval';
import { stopRun } from '../../temporal/runs/stop-run';
import type { OpenAiContext, OpenAiPorts } from './ports';

/** What the ids of calls begin with. */
export const CALL_PREFIX = 'call_';

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
        return { callId: CALL_PREFIX + id, name: toolName, args: JSON.stringify(question.args) };
      }),
  );
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
export function runOfApproval(workflowId: string): string {
  return workflowId.slice(0, workflowId.lastIndexOf(`/${APPROVAL_TYPE}/`));
}
