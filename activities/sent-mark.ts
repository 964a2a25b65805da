import type { Context } from '@temporalio/activity';
import type { SentMark } from '../src/tools/tool';

/** What the heartbeats of an activity carry from the time at which its request may have reached a server. */
const SENT = { sent: true } as const;

const marked = new WeakSet<Context>();

/**
 * The mark of an activity that its request may have reached a server. Heartbeats carry it, because they are all that the
 * next attempt learns of one whose worker was stopped.
 */
export function sentMarkOf(context: Context): SentMark {
  const details = context.info.heartbeatDetails as Partial<typeof SENT> | undefined;
  return {
    earlier: details?.sent === true,
    set(isSent) {
      if (isSent) marked.add(context);
      else marked.delete(context);
      context.heartbeat(markToBeat(context));
    },
  };
}

/** What a heartbeat of this activity carries; undefined where its request was not sent. */
export function markToBeat(context: Context): typeof SENT | undefined {
  return marked.has(context) ? SENT : undefined;
}
