import { hrefWith } from '../../address';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';
import { useRun } from '../../api/follow-run';
import { nameOfRun, typeInWords } from './run-name';
import { formatDuration } from '../../parts/format';

/** The run that a step was, with its steps in short and the way to it. */
export function ChildRun({ traceId }: { traceId: string }) {
  const { run, steps, problem } = useRun(traceId);
  return (
    <div class="child">
      <h3>The run of this step</h3>
      <Problem problem={problem} />
      {run !== undefined && (
        <>
          <p>
            <a href={hrefWith({ run: traceId, step: undefined })}>
              {nameOfRun(run) ?? typeInWords(run.type)}
            </a>{' '}
            <StatusSign status={run.status} />
          </p>
          <ul>
            {steps.slice(0, 50).map(({ id, name, status, scheduledAt, endedAt }) => (
              <li key={id}>
                <StatusSign status={status} hidden /> <b>{id}</b> <span class="quiet">{name}</span>{' '}
                <span class="quiet">
                  {endedAt === undefined ? '' : formatDuration(Date.parse(endedAt) - Date.parse(scheduledAt))}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
