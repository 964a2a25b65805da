import { setTimeout as delay } from 'node:timers/promises';
import type { temporal } from '@temporalio/proto';
import { beforeDeadline, EngineDeadlineError } from '../deadline';
import type { Engine, EngineConnection } from '../engine';
import { INVALID_ARGUMENT, testGrpcStatus } from '../grpc-status';
import { resolveReferences } from '../sdk-patches/stored-values';
import { isTransient } from '../runs/run-errors';
import type { StartedRun } from '../runs/started-run';
import { isLogged, withoutInput } from './logged-events';
import { shortenStored } from './shorten-stored';
import { inParts } from './stored-bytes';
import { createWaitDelays } from '../runs/run-wait';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const PAGE_EVENTS = 250;
/** The server answers a request that waits for events after about 20 s. */
const POLL_LIMIT_MS = 40_000;

export interface ReadOptions {
  /** Whether to wait for further events of an open run. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
  /** Which events are needed; default: those that a log needs. The others are left out, and what they refer to is not read. */
  readonly needs?: (event: HistoryEvent) => boolean;
  /** Called for each needed event, in order, before its inputs are left out and its references are resolved. */
  readonly onRaw?: (event: HistoryEvent) => void;
}

/**
 * Reads the events of a run's history that its log needs, and those of the runs that continue it, in parts and with references
 * resolved. The stored values of one part are in memory at once, so a part has few events if the values are large. With
 * `follow` it continues until the run has ended and repeats requests that an unreachable server loses; otherwise it ends with the
 * last event that there is now.
 * @throws the client's error if the run does not exist any more; `EngineDeadlineError` if the signal aborts
 */
export async function* readHistory(
  engine: Engine,
  run: StartedRun,
  { follow, signal, needs = isLogged, onRaw }: ReadOptions,
): AsyncGenerator<readonly HistoryEvent[], void, undefined> {
  let execution: StartedRun = { workflowId: run.workflowId, runId: run.runId };
  let token: Uint8Array = new Uint8Array();
  /** The id of the last event that was read of this execution. */
  let seen = 0;
  const delayAfter = createWaitDelays();
  for (;;) {
    let page: RawPage;
    try {
      page = await readPage(engine.current(), execution, { token, follow, signal, needs });
    } catch (error) {
      if (signal.aborted) throw new EngineDeadlineError();
      const isStale = token.length > 0 && testGrpcStatus(error, (status) => status === INVALID_ARGUMENT);
      if (!isStale && !(follow && isTransient(error))) throw error;
      // A server that was restarted may not know the token any more. The events that were read are skipped then.
      token = new Uint8Array();
      await delay(delayAfter(error), undefined, { signal }).catch(() => undefined);
      continue;
    }
    const fresh = page.events.filter(({ eventId }) => Number(eventId) > seen);
    seen = Number(fresh.at(-1)?.eventId ?? seen);
    token = page.token;
    const next = fresh.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    const { client } = engine.current();
    if (onRaw !== undefined) fresh.forEach(onRaw);
    const shortened = await Promise.all(fresh.map((event) => shortenStored(client, withoutInput(event))));
    for (const part of inParts(shortened)) {
      await resolveReferences(client, part);
      if (signal.aborted) throw new EngineDeadlineError();
      yield part;
    }
    if (next) {
      execution = { ...execution, runId: next };
      token = new Uint8Array();
      seen = 0;
    } else if (token.length === 0) return;
  }
}

interface RawPage {
  readonly events: HistoryEvent[];
  /** Empty if the history has no further events. */
  readonly token: Uint8Array;
}

async function readPage(
  { client, native, namespace }: EngineConnection,
  execution: StartedRun,
  { token, follow, signal, needs }: Required<Omit<ReadOptions, 'onRaw'>> & { readonly token: Uint8Array },
): Promise<RawPage> {
  const request = {
    namespace,
    execution,
    maximumPageSize: PAGE_EVENTS,
    nextPageToken: token,
    waitNewEvent: follow,
    skipArchival: true,
  };
  const { history, nextPageToken } = await beforeDeadline(
    native,
    Date.now() + POLL_LIMIT_MS,
    () => client.workflowService.getWorkflowExecutionHistory(request),
    signal,
  );
  return { events: (history?.events ?? []).filter(needs), token: nextPageToken };
}
