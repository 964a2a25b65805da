import type { ErrorCode } from '../../../src/base/error-codes';
import { HoldfastError } from '../../../src/base/errors';
import type { Approval } from '../../../src/contracts/http/approvals';
import { untilPaused } from '../../../temporal/approvals/until-paused';
import { hasEnded, waitForRun } from '../../../temporal/runs/run-wait';
import type { Exchange } from './exchange';
import type { McpPorts } from './mcp-ports';
import type { Run } from './task-ids';

/** What came of a run, as over HTTP. */
export interface RunData {
  /** The workflow type; absent if there is no run. */
  readonly type?: string | undefined;
  readonly data: unknown;
}

/**
 * Waits for a run whose approvals were answered, until it ends or waits for a person again.
 * @param answered the approvals that were asked about already, which are not asked about again
 * @throws HoldfastError the failure of the run; `RUN_PAUSED` with the approvals that are to be asked about; `RUN_STILL_GOING`
 * when the time is over; as `waitForRun` does
 */
export async function waitForData(
  { engine, shown, waitLimitMs }: McpPorts,
  run: Run,
  { mcp, context }: Exchange,
  answered: ReadonlySet<string>,
): Promise<RunData> {
  const paused = new AbortController();
  const signal = AbortSignal.any([paused.signal, mcp.mcpReq.signal, context.signal()]);
  const { runId: traceId, workflowId } = run;
  let approvals: readonly Approval[] = [];
  void untilPaused(engine, shown.taskQueue, run, signal).then((pending) => {
    approvals = pending;
    if (pending.length > 0) paused.abort();
  });
  const scope = { ...shown, owner: context.owner, admit: context.admit };
  const record = await waitForRun(
    engine,
    scope,
    { traceId, workflowId },
    { timeoutMs: waitLimitMs, signal },
  ).finally(() => paused.abort());
  if (record.error !== undefined) {
    const { code, message } = record.error;
    throw new HoldfastError(code as ErrorCode, message);
  }
  if (hasEnded(record)) return { type: record.type, data: record.result };
  if (approvals.length === 0) throw new HoldfastError('RUN_STILL_GOING', 'The run is not over yet');
  const unasked = approvals.filter(({ id }) => !answered.has(id));
  throw new HoldfastError('RUN_PAUSED', 'The run waits for an approval', {
    details: { traceId, workflowId, approvals: unasked },
  });
}
