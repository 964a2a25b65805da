import type { Context } from '@temporalio/activity';
import type { SentMark } from '../src/tools/tool';

/** What the heartbeats of an activity carry once it is known whether its request may have reached a server. */
export interface SentDetails {
  readonly sent: boolean;
}

const marks = new WeakMap<Context, SentDetails>();

/**
 * The mark of an activity that its request may have reached a server. Heartbeats carry it, because they are all that the
 * next attempt learns of one before it. One that left no mark may have sent the request.
 */
export function sentMarkOf(context: Context): SentMark {
  const { info } = context;
  const details = info.heartbeatDetails as Partial<SentDetails> | undefined;
  return {
    earlier: info.attempt > 1 && details?.sent !== false,
    set(sent) {
      marks.set(context, { sent });
      context.heartbeat({ sent });
    },
  };
}

/** Notes at the end of an attempt that it has not sent its request, unless it or an earlier one may have. */
export function noteUnsent(context: Context, mark: SentMark): void {
  if (!mark.earlier && !marks.has(context)) mark.set(false);
}

/** What a heartbeat of this activity carries; undefined if nothing is known of its request. */
export function markToBeat(context: Context): SentDetails | undefined {
  return marks.get(context);
}
