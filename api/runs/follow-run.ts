import type { RunEvent, RunSign } from '../../src/contracts/http/run-events';
import { HoldfastError } from '../../src/base/errors';
import type { RunFeeds } from '../../temporal/run-events/run-feeds';
import type { StartedRun } from '../../temporal/runs/started-run';
import { type ServerSentEvent, SILENCE_MS, toEventStream } from '../http/event-stream';
import type { NoContent, StreamedAnswer } from '../http/route';

export interface FollowRunOptions {
  /** The sequence of the last event that the caller has; 0 for none. */
  readonly after: number;
  /** Whether the run may have ended, so that the caller may have its last event. */
  readonly mayHaveEnded: boolean;
  readonly signal: AbortSignal;
}

/** There is nothing to follow: the run has ended, and the caller has its last event. */
const NOTHING_LEFT: NoContent = { status: 204 };

type Item = RunEvent | RunSign;

/**
 * Answers with the events of a run from `after` on, until its end.
 * @throws HoldfastError only if the run may have ended: as `RunFeeds.follow` does, or `ENGINE_UNAVAILABLE`
 */
export async function followRun(
  feeds: RunFeeds,
  run: StartedRun,
  { after, mayHaveEnded, signal }: FollowRunOptions,
): Promise<StreamedAnswer | NoContent> {
  const items = feeds.follow(run, { after, silenceMs: SILENCE_MS, signal });
  // The headers of an open run are sent at once, although its next event may be far away.
  if (!mayHaveEnded) return toEventStream(items, toServerSent);
  const first = await items.next();
  if (first.done === true && first.value) return NOTHING_LEFT;
  // The log of an ended run is complete, so only a server that went away keeps its first event back.
  if (first.done !== true && first.value === undefined) {
    await items.return(false);
    throw new HoldfastError('ENGINE_UNAVAILABLE', 'Temporal does not give the events of the run', {
      details: { service: 'temporal', reason: 'no answer in time' },
      retryable: true,
    });
  }
  return toEventStream(startingWith(first, items), toServerSent);
}

/** Puts back what was read first. It is no generator, because one that was not begun yet could not return `rest`. */
function startingWith<T, R>(
  first: IteratorResult<T, R>,
  rest: AsyncGenerator<T, R, undefined>,
): AsyncIterator<T, R, undefined> {
  let unread: IteratorResult<T, R> | undefined = first;
  return {
    next() {
      if (unread === undefined) return rest.next();
      const next = unread;
      unread = undefined;
      return Promise.resolve(next);
    },
    return: (value) => rest.return(value as R),
  };
}

function toServerSent(item: Item): ServerSentEvent {
  return { ...('sequence' in item ? { id: item.sequence } : {}), event: item.type, data: item };
}
