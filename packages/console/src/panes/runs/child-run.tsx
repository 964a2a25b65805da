import { hrefWith } from '../../address';
import { Part } from '../../parts/detail';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';
import { now } from '../../parts/time';
import { useRun } from '../../api/follow-run';
import { nameOfRun, typeInWords } from './run-name';
import { layOut, lengthOf } from './timeline';
import { Scale, TimelineRow } from './timeline-row';

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
