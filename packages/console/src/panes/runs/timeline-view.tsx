import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, place } from '../../address';
import { formatDuration } from '../../parts/format';
import { useKeys } from '../../parts/keys';
import { StatusSign } from '../../parts/status-sign';
import { now } from '../../parts/time';
import { useWindow } from '../../parts/virtual';
import { ChildRun } from './child-run';
import type { LiveStep, Run } from '../../api/step';
import { type Bar, layOut, lengthOf, marksOf, type Row } from './timeline';

const ROW_HEIGHT = 30;
const MAX_MARKS = 6;

interface TimelineProps {
  readonly run: Run;
  readonly steps: readonly LiveStep[];
  /** Shows the step that is open. */
  readonly openStep: (step: LiveStep) => ComponentChildren;
}

/** A run in time: one row a step, of which one is open. */
export function Timeline({ run, steps, openStep }: TimelineProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => layOut({ run, steps, unfolded }), [run, steps, unfolded]);
  // Only an open run grows with the clock.
  const length = lengthOf(run, run.closedAt === null ? now.value : 0);
  const opened = place.value.params['step'];
  const open = rows.findIndex(({ id, step }) => id === opened && step !== undefined);
  const [openHeight, setOpenHeight] = useState(0);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (panel.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setOpenHeight(entry?.borderBoxSize[0]?.blockSize ?? 0));
    observer.observe(panel.current);
    return () => observer.disconnect();
  }, [open >= 0 ? opened : undefined]);
  const options = { count: rows.length, height: ROW_HEIGHT, open, openHeight: open >= 0 ? openHeight : 0 };
  const { list, first, end, before, after } = useWindow(options);
  useKeys(movesWithin(list.current));
  const toggle = (id: string): void =>
    setUnfolded(
      (earlier) => new Set(earlier.has(id) ? [...earlier].filter((each) => each !== id) : [...earlier, id]),
    );
  return (
    <div class="timeline">
      <Scale length={length} />
      <div
        class="rows"
        role="list"
        aria-label={`Steps: ${rows.length}`}
        ref={list}
        style={{ paddingTop: before, paddingBottom: after }}
      >
        {rows.slice(first, end).map((row) => (
          <div role="listitem" key={`${row.depth} ${row.id}`}>
            <TimelineRow
              row={row}
              length={length}
              isOpen={row.id === opened && row.step !== undefined}
              isUnfolded={unfolded.has(row.id)}
              toggle={() => toggle(row.id)}
            />
            {row.id === opened && row.step !== undefined && (
              <div class="panel" ref={panel}>
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

interface TimelineRowProps {
  readonly row: Row;
  readonly length: number;
  readonly isOpen: boolean;
  readonly isUnfolded: boolean;
  readonly toggle: () => void;
}

function TimelineRow({ row, length, isOpen, isUnfolded, toggle }: TimelineRowProps) {
  const { id, name, step, group, depth, status } = row;
  const act = group === undefined ? () => go({ step: isOpen ? undefined : id }) : toggle;
  const canAct = step !== undefined || group !== undefined;
  const isExpanded = group === undefined ? isOpen : isUnfolded;
  const content = (
    <>
      <span class={depth > 0 ? 'label nested' : 'label'}>
        <span class="fold" aria-hidden="true">
          {canAct ? (isExpanded ? '▾' : '▸') : ''}
        </span>
        <StatusSign status={status} hidden />
        <b>{id}</b>
        <span class="quiet">{name}</span>
      </span>
      <span class="track">
        {row.bars.map((bar, at) => (
          <BarOf key={at} bar={bar} length={length} />
        ))}
      </span>
      <span class="at-end">{endOf(row, length)}</span>
    </>
  );
  if (!canAct) return <div class="step">{content}</div>;
  return (
    <button type="button" class={isOpen ? 'step open' : 'step'} aria-expanded={isExpanded} onClick={act}>
      {content}
    </button>
  );
}

function endOf({ group, note, bars, step }: Row, length: number): string {
  if (group !== undefined) return `${group.done} of ${group.all}`;
  const last = bars.at(-1);
  if (note !== undefined || last === undefined) return note ?? '';
  const attempts = step !== undefined && step.attempts > 1 ? `${step.attempts} attempts · ` : '';
  return `${attempts}${formatDuration(step?.executionTime ?? (last.to ?? length) - last.from)}`;
}

function BarOf({ bar: { from, to, look }, length }: { bar: Bar; length: number }) {
  const left = Math.min(99.5, (100 * Math.max(0, from)) / length);
  const width = Math.min(100 - left, (100 * Math.max(0, (to ?? length) - from)) / length);
  return <span class={`bar ${look}`} style={{ left: `${left}%`, width: `${width}%` }} />;
}

function Scale({ length }: { length: number }) {
  const marks = marksOf(length, MAX_MARKS);
  return (
    <div class="scale" aria-hidden="true">
      <span class="track">
        {marks
          .filter((mark) => mark < 0.93 * length)
          .map((mark) => (
            <span key={mark} style={{ left: `${(100 * mark) / length}%` }}>
              {mark === 0 ? '0' : formatMark(mark)}
            </span>
          ))}
      </span>
    </div>
  );
}

function formatMark(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${ms / 1_000} s`;
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}

/** `j` and `k` move between the rows while the focus is at the right. */
function movesWithin(list: HTMLElement | null) {
  const move = (by: number) => (): boolean => {
    const right = list?.closest('.right');
    if (list === null || right?.contains(document.activeElement) !== true) return false;
    const rows = [...list.querySelectorAll<HTMLElement>('button.step')];
    const at = rows.findIndex((row) => row === document.activeElement);
    rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
    return true;
  };
  return { j: move(1), k: move(-1) };
}
