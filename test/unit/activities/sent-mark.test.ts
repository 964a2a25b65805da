import type { Context } from '@temporalio/activity';
import { markToBeat, noteUnsent, sentMarkOf } from '../../../activities/sent-mark';

/** An activity whose heartbeats are noted. */
function activity(attempt: number, heartbeatDetails?: unknown) {
  const beats: unknown[] = [];
  const heartbeat = (details: unknown): void => void beats.push(details);
  return { beats, context: { info: { attempt, heartbeatDetails }, heartbeat } as unknown as Context };
}

test.each([
  [1, undefined, false],
  [2, { sent: false }, false],
  [2, { sent: true }, true],
  // An attempt that left no word may have sent its request.
  [2, undefined, true],
  [3, { text: 'of another kind' }, true],
])(
  'before attempt %i with the heartbeat %j the request may have been sent: %s',
  (attempt, details, earlier) => {
    expect(sentMarkOf(activity(attempt, details).context).earlier).toBe(earlier);
  },
);

test('an attempt that ends before it sends says so to the next one, and no other does', () => {
  const [unsent, sent, late] = [activity(1), activity(1), activity(2)];
  for (const { context } of [unsent, sent, late]) {
    const mark = sentMarkOf(context);
    if (context === sent.context) mark.set(true);
    noteUnsent(context, mark);
  }
  expect([unsent.beats, sent.beats, late.beats]).toEqual([[{ sent: false }], [{ sent: true }], []]);
  expect(markToBeat(sent.context)).toEqual({ sent: true });
  expect(markToBeat(late.context)).toBeUndefined();
});
