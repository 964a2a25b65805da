import type { RunEvent, RunSign } from '../../src/contracts/http/run-events';
import type { RunFeeds } from '../../temporal/run-events/run-feeds';
import type { StartedRun } from '../../temporal/started-run';
import type { ServerSentEvent } from '../http/event-stream';
import { SILENCE_MS, toEventStream } from '../http/event-stream';
import type { StreamedAnswer } from '../http/route';

/** Answers with the events of a run from `after` on, until its end. */
export function followRun(
  feeds: RunFeeds,
  run: StartedRun,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): StreamedAnswer {
  return toEventStream(toServerSent(feeds.follow(run, { after, silenceMs: SILENCE_MS, signal })));
}

/** Answers with events that are all there. */
export function sendEvents(events: readonly RunEvent[]): StreamedAnswer {
  return toEventStream(toServerSent(events));
}

async function* toServerSent(
  items: AsyncIterable<RunEvent | RunSign | undefined> | Iterable<RunEvent>,
): AsyncGenerator<ServerSentEvent | undefined> {
  for await (const item of items) {
    if (item === undefined) yield undefined;
    else yield { ...('sequence' in item ? { id: item.sequence } : {}), event: item.type, data: item };
  }
}
