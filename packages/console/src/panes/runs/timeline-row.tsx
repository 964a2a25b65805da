import { formatDuration } from '../../parts/format';
import { StatusSign } from '../../parts/status-sign';
import { type Bar, marksOf, type Row } from './timeline';

const MAX_MARKS = 6;

interface TimelineRowProps {
  readonly row: Row;
  readonly length: number;
  readonly isOpen?: boolean;
  /** Opens or folds it; absent: it stays as it is. */
  readonly act?: (() => void) | undefined;
}

/** A step as a row: its name, its bars in time, and how long it took. */
export function TimelineRow({ row, length, isOpen = false, act }: TimelineRowProps) {
  const { id, name, depth, status, group } = row;
  const content = (
    <>
      <span class={depth > 0 ? 'label nested' : 'label'}>
        <span class="fold" aria-hidden="true">
          {act === undefined ? '' : isOpen ? '▾' : '▸'}
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
  if (act === undefined) return <div class="step">{content}</div>;
  return (
    <button
      type="button"
      class={isOpen && group === undefined ? 'step open' : 'step'}
      aria-expanded={isOpen}
      onClick={act}
    >
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

/** The time of the bars below. */
export function Scale({ length }: { length: number }) {
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
