import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Asked, useAsked } from './ask';
import { client, dataOf } from './client';
import { applyEvents, type LiveStep, type LiveSteps, type Run, type RunEvent } from './step';

/** Events that come within so long are shown at once, milliseconds. */
const BATCH_MS = 150;
/** How often the record of an open run is read, milliseconds. */
const RECORD_MS = 10_000;
/** Signs of life of a run that change more than its steps. */
const CHANGES_RECORD = /^(?:approval[.]|run[.](?!started))/;

export interface FollowedRun extends Pick<Asked<Run>, 'problem' | 'again'> {
  readonly run: Run | undefined;
  readonly steps: readonly LiveStep[];
}

/** A run with its steps, live by its events until it has ended. */
export function useRun(traceId: string): FollowedRun {
  const [isOpen, setOpen] = useState(false);
  const {
    data: run,
    problem,
    again,
  } = useAsked(
    `run ${traceId}`,
    (signal) => dataOf(client.value.GET('/api/runs/{traceId}', { params: { path: { traceId } }, signal })),
    // Its events say when it changes, unless their stream is cut.
    { everyMs: isOpen ? RECORD_MS : undefined },
  );
  useEffect(() => setOpen(run?.closedAt === null), [run]);
  // A record has no steps if a long history could not be read in time; its events have them too.
  const mustFollow = isOpen || (run !== undefined && run.steps === undefined);
  const [live, setLive] = useState<LiveSteps>(new Map());
  const refresh = useRef(again);
  refresh.current = again;
  useEffect(() => setLive(new Map()), [traceId]);
  useEffect(() => {
    if (!mustFollow) return undefined;
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
        batch.push(event);
        timer ??= setTimeout(flush, BATCH_MS);
      }
    };
    // The record was there, so a stream that ends early leaves a page that shows it, and the button that asks again.
    read().catch(() => undefined);
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [traceId, isOpen, mustFollow]);
  const steps = useMemo(() => joinSteps(run?.steps ?? [], live, mustFollow), [run, live, mustFollow]);
  return { run, steps, problem, again };
}

/** The steps of an open run are those of its events once these are there, and those of an ended run are in its record. */
function joinSteps(recorded: readonly LiveStep[], live: LiveSteps, isFollowed: boolean): readonly LiveStep[] {
  if (isFollowed && live.size >= recorded.length) return [...live.values()];
  return recorded.map((step) => {
    const { failures, text, costUsd } = live.get(step.id) ?? {};
    return { ...step, failures, text, costUsd };
  });
}
