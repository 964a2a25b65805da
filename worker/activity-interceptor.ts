import type { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';
import { liveTextOf } from '../activities/live-text';
import { markToBeat } from '../activities/sent-mark';
import { isHoldfastError, messageOf } from '../src/base/errors';
import { toApplicationFailure } from '../temporal/failures';
import { serverClock } from '../temporal/server-clock';

const HEARTBEAT_INTERVAL_MS = 800;

/**
 * Sends heartbeats for every regular activity, so that the server notices a dead worker within seconds. They carry the text
 * that a model has made so far, for those who follow the run, or the mark of a request that was sent, for the next attempt.
 * It turns errors into failures whose `type` is the stable code.
 */
export function createActivityInterceptor(context: Context): ActivityInboundCallsInterceptor {
  return {
    async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>) {
      const { isLocal, currentAttemptScheduledTimestampMs } = context.info;
      // A local activity has times of this machine.
      if (!isLocal) serverClock.hear(currentAttemptScheduledTimestampMs);
      const beat = isLocal
        ? undefined
        : setInterval(
            () => context.heartbeat(liveTextOf(context) ?? markToBeat(context)),
            HEARTBEAT_INTERVAL_MS,
          );
      try {
        return await next(input);
      } catch (error) {
        throw toFailure(error, context.cancellationSignal);
      } finally {
        clearInterval(beat);
      }
    },
  };
}

function toFailure(error: unknown, cancellation: AbortSignal): Error {
  if (error instanceof TemporalFailure) return error;
  if (cancellation.aborted && error === cancellation.reason) return new CancelledFailure('cancelled');
  if (!isHoldfastError(error)) {
    return ApplicationFailure.create({ type: 'INTERNAL', message: messageOf(error), nonRetryable: true });
  }
  return toApplicationFailure(error);
}
