import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Asked, useRead } from './ask';
import { type ApiProblem, client, isRefused, toProblem } from './client';
import { applyEvents, type LiveStep, type LiveSteps, type Run, type RunEvent } from './step';

/** Events that come within so long are shown at once, milliseconds. */
const BATCH_MS = 150;
/** How often the record of an open run is read, milliseconds. */
const RECORD_MS = 5_000;
/** How long after a stream that the client gave up another one is asked for, milliseconds. */
const RETRY_MS = 10_000;
/**
 * A browser has six connections to a server, for all tabs, and a stream takes one. Other open runs are shown by their records.
 */
const MAX_STREAMS = 2;
let streams = 0;
/** Signs of life of a run that change more than its steps. */
const CHANGES_RECORD = /^(?:approval[.]|run[.](?!started))/;

export interface FollowedRun extends Pick<Asked<Run>, 'problem' | 'again'> {
  readonly run: Run | undefined;
  readonly steps: readonly LiveStep[];
}

/** A run with its steps, live by its events until it has ended; undefined: none. */
export function useRun(traceId: string | undefined): FollowedRun {
  const {
    data: run,
    problem,
    again,
  } = useRead(
    '/api/runs/{traceId}',
    traceId === undefined ? undefined : { path: { traceId } },
    // Its events say when it changes, unless their stream is cut.
    { everyMs: (record) => (record?.closedAt === null ? RECORD_MS : undefined) },
  );
  const isOpen = run?.closedAt === null;
  // A record has no steps if a long history could not be read in time; its events have them too.
  const mustFollow = isOpen || (run !== undefined && run.steps === undefined);
  const [live, setLive] = useState<LiveSteps>(new Map());
  const [lost, setLost] = useState<ApiProblem>();
  const refresh = useRef(again);
  refresh.current = again;
  useEffect(() => setLive(new Map()), [traceId]);
  useEffect(() => {
    if (traceId === undefined || !mustFollow || streams >= MAX_STREAMS) return undefined;
    streams += 1;
    const ended = new AbortController();
    let batch: RunEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
      const events = batch;
      batch = [];
      timer = undefined;
      setLive((before) => applyEvents(before, events));
      if (isOpen && events.some(({ type }) => CHANGES_RECORD.test(type))) refresh.current();
    };
    const read = async (): Promise<void> => {
      for await (const event of client.value.run(traceId).events({ signal: ended.signal })) {
        setLost(undefined);
        batch.push(event);
        timer ??= setTimeout(flush, BATCH_MS);
      }
    };
    let retry: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
      read().catch((error: unknown) => {
        if (ended.signal.aborted) return;
        // What the record says of the steps is right from now on.
        clearTimeout(timer);
        timer = undefined;
        batch = [];
        setLive(new Map());
        setLost(toProblem(error));
        if (!isRefused(error)) retry = setTimeout(follow, RETRY_MS);
      });
    };
    follow();
    return () => {
      ended.abort();
      clearTimeout(timer);
      clearTimeout(retry);
      streams -= 1;
    };
  }, [traceId, isOpen, mustFollow]);
  const steps = useMemo(() => joinSteps(run?.steps ?? [], live, mustFollow), [run, live, mustFollow]);
  return { run, steps, problem: problem ?? lost, again };
}

/** The steps of an open run are those of its events once these are there, and those of an ended run are in its record. */
function joinSteps(recorded: readonly LiveStep[], live: LiveSteps, isFollowed: boolean): readonly LiveStep[] {
  if (isFollowed && live.size >= recorded.length) return [...live.values()];
  return recorded.map((step) => {
    const { failures, text, costUsd } = live.get(step.id) ?? {};
    return { ...step, failures, text, costUsd };
  });
}
