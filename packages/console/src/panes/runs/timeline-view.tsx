import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, place } from '../../address';
import { useRowKeys } from '../../parts/keys';
import { now } from '../../parts/time';
import { useWindow } from '../../parts/virtual';
import { ChildRun } from './child-run';
import type { LiveStep, Run } from '../../api/step';
import { groupOf, layOut, lengthOf } from './timeline';
import { Scale, TimelineRow } from './timeline-row';

const ROW_HEIGHT = 30;

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
  useRowKeys(list, 'button.step');
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
