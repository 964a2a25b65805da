import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, hrefWith, place } from '../../address';
import { useRun } from '../../api/follow-run';
import type { LiveStep, Run } from '../../api/step';
import { Part } from '../../parts/detail';
import { useRowKeys } from '../../parts/keys';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';
import { now } from '../../parts/time';
import { nameOfRun, typeInWords } from './run-name';
import { groupOf, layOut, lengthOf } from './timeline';
import { Scale, TimelineRow } from './timeline-row';

/** How many rows are in the document at once. */
const PAGE = 100;

interface TimelineProps {
  readonly run: Run;
  readonly steps: readonly LiveStep[];
  /** Shows the step that is open. */
  readonly openStep: (step: LiveStep) => ComponentChildren;
}

/** A run in time: one row a step, of which one is open. */
export function Timeline({ run, steps, openStep }: TimelineProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const opened = place.value.params['step'];
  // The group of the step that is open is unfolded, also when a link leads to it.
  const openedGroup = groupOf(opened ?? '');
  const rows = useMemo(
    () => layOut({ run, steps, unfolded: new Set([...unfolded, openedGroup ?? '']) }),
    [run, steps, unfolded, openedGroup],
  );
  // Only an open run grows with the clock.
  const length = lengthOf(run, run.closedAt === null ? now.value : 0);
  const openAt = rows.findIndex(({ id, step }) => id === opened && step !== undefined);
  const [page, setPage] = useState(0);
  useEffect(() => {
    if (openAt >= 0) setPage(Math.floor(openAt / PAGE));
  }, [opened, openAt >= 0]);
  const pages = Array.from({ length: Math.ceil(rows.length / PAGE) }, (_, at) => at);
  const first = PAGE * Math.min(page, Math.max(0, pages.length - 1));
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list, 'button.step');
  const toggle = (id: string): void =>
    setUnfolded(
      (earlier) => new Set(earlier.has(id) ? [...earlier].filter((each) => each !== id) : [...earlier, id]),
    );
  return (
    <div class="timeline">
      <Scale length={length} />
      {pages.length > 1 && (
        <label class="pages">
          Steps{' '}
          <select value={first / PAGE} onChange={({ currentTarget }) => setPage(Number(currentTarget.value))}>
            {pages.map((each) => (
              <option key={each} value={each}>
                {PAGE * each + 1} – {Math.min(rows.length, PAGE * (each + 1))}
              </option>
            ))}
          </select>{' '}
          of {rows.length}
        </label>
      )}
      <div class="rows" role="list" aria-label={`Steps: ${rows.length}`} ref={list}>
        {rows.slice(first, first + PAGE).map((row) => (
          <div role="listitem" key={`${row.depth} ${row.id}`}>
            <TimelineRow
              row={row}
              length={length}
              isOpen={
                row.group === undefined ? row.id === opened : unfolded.has(row.id) || row.id === openedGroup
              }
              act={
                row.group !== undefined
                  ? () => toggle(row.id)
                  : row.step && (() => go({ step: row.id === opened ? undefined : row.id }))
              }
            />
            {row.id === opened && row.step !== undefined && (
              <div class="panel">
                {openStep(row.step)}
                {row.step.childTraceId !== undefined && <ChildRun traceId={row.step.childTraceId} />}
              </div>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

/** More rows are seen in the run itself. */
const MAX_ROWS = 50;
const NONE: ReadonlySet<string> = new Set();

/** The run that a step was: its own timeline, and the way to it. */
export function ChildRun({ traceId }: { traceId: string }) {
  const { run, steps, problem } = useRun(traceId);
  if (run === undefined) return <Problem problem={problem} />;
  const length = lengthOf(run, run.closedAt === null ? now.value : 0);
  const rows = layOut({ run, steps, unfolded: NONE });
  return (
    <Part class="child" title="The run of this step">
      <p>
        <a href={hrefWith({ run: traceId, step: undefined })}>{nameOfRun(run) ?? typeInWords(run.type)}</a>{' '}
        <StatusSign status={run.status} />
        {rows.length > MAX_ROWS && <span class="quiet"> {rows.length - MAX_ROWS} more steps</span>}
      </p>
      <Scale length={length} />
      {rows.slice(0, MAX_ROWS).map((row) => (
        <TimelineRow key={row.id} row={row} length={length} />
      ))}
    </Part>
  );
}
