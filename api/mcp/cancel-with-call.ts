import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import { messageOf } from '../../src/base/errors';
import type { StartedRun } from '../../temporal/runs/started-run';
import { stopRun } from '../../temporal/runs/stop-run';
import type { Exchange } from './exchange';
import type { McpPorts } from './mcp-ports';

export interface CallCancellation {
  /** Sets the run of the call. */
  setRun(run: StartedRun): void;
  /** Ends the connection of call and run. */
  release(): void;
}

/**
 * Cancels the run of a call where its client gives up the call. Clients without sessions do that by closing the connection,
 * those with sessions by a message, so that the run of a session whose connection broke continues. The run of a call with an
 * idempotency key continues too, because the key is there to join it again, and others may have joined it.
 */
export function cancelWithCall(
  { engine, shown, isStopping }: Pick<McpPorts, 'engine' | 'shown' | 'isStopping'>,
  { mcp, context, era }: Exchange,
  idempotencyKey: string | undefined,
): CallCancellation {
  const { signal } = mcp.mcpReq;
  let run: StartedRun | undefined;

  function cancel(): void {
    if (run === undefined || isStopping()) return;
    const survives = era === 'legacy' || idempotencyKey !== undefined;
    if (survives && isConnectionEnd(signal.reason)) return;
    const { runId: traceId, workflowId } = run;
    const reason = 'the MCP client gave up the call';
    stopRun(
      engine,
      { ...shown, owner: context.owner, admit: context.admit },
      { traceId, workflowId },
      { how: 'cancel', reason },
    ).catch((error: unknown) => {
      context.logger.warn({ traceId, reason: messageOf(error) }, 'a run could not be cancelled');
    });
  }

  signal.addEventListener('abort', cancel, { once: true });
  return {
    setRun(started) {
      run = started;
      if (signal.aborted) cancel();
    },
    release: () => signal.removeEventListener('abort', cancel),
  };
}

function isConnectionEnd(reason: unknown): boolean {
  return reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;
}
