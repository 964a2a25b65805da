import { ChildWorkflowFailure, ApplicationFailure } from '@temporalio/common';
import {
  CancellationScope,
  ChildWorkflowCancellationType,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  workflowInfo,
} from '@temporalio/workflow';
import { CALL_MEMO, type CallMemo } from '../../src/contracts/runs/agent-calls';
import {
  EXTERNAL_CALL_TYPE,
  type ExternalCall,
  type ExternalCallInput,
} from '../../src/contracts/runs/external-calls';
import { nameSummary, summariseCall } from '../../src/contracts/runs/summaries';
import type { ToolLimits, ToolStepResult } from '../../src/contracts/runs/tools';
import { toToolFailure } from './failures';
import { ownerAttributes } from './run-attributes';

/**
 * Makes a call of a tool of another worker in a run of its own, which holds its arguments as they are sent, so that many long ones do
 * not fill the history of this run.
 * @throws ApplicationFailure as `toToolFailure` makes it; the cancellation when the run is cancelled
 */
export async function runExternalStep(
  call: ExternalCall,
  step: string,
  limits: ToolLimits,
): Promise<ToolStepResult> {
  const { workflowId } = workflowInfo();
  const memo: CallMemo = { step, toolName: call.toolName };
  try {
    return await executeChild<(input: ExternalCallInput) => Promise<ToolStepResult>>(EXTERNAL_CALL_TYPE, {
      workflowId: `${workflowId}/call/${step}`,
      args: [{ step, call, limits }],
      memo: { [CALL_MEMO]: memo },
      typedSearchAttributes: ownerAttributes(),
      staticSummary: nameSummary(step, summariseCall(call)),
      workflowTaskTimeout: '3s',
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    });
  } catch (error) {
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error;
    const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
    if (cause instanceof ApplicationFailure && cause.details?.length) throw cause;
    throw toToolFailure(cause, call, limits);
  }
}
