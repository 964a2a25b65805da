import { go, hrefOf, place } from '../../address';
import { useAsked } from '../../api/ask';
import { type ApiProblem, client, dataOf, type Schemas } from '../../api/client';
import { formatDuration } from '../../parts/format';
import { JsonTree } from '../../parts/json-tree';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';

type Run = Schemas['Run'];

/** How often the record of a run is asked for that this page has started, milliseconds. */
const ASK_MS = 700;

export interface StartedRun {
  readonly traceId: string | undefined;
  readonly run: Run | undefined;
  readonly problem: ApiProblem | undefined;
  readonly isRunning: boolean;
  readonly start: (request: Parameters<typeof dataOf<{ readonly data: object }>>[0]) => Promise<void>;
}

/** Starts the runs of a form, and follows the latest one, which the address names. */
export function useStarted(): StartedRun {
  const traceId = place.value.params['started'];
  const { data: run, problem } = useAsked(
    traceId && `started ${traceId}`,
    (signal) => {
      const params = { path: { traceId: traceId ?? '' } };
      return dataOf(client.value.GET('/api/runs/{traceId}', { params, signal }));
    },
    { everyMs: (record) => (record === undefined || record.closedAt === null ? ASK_MS : undefined) },
  );
  return {
    traceId,
    run,
    problem,
    isRunning:
      (traceId !== undefined && run?.closedAt === undefined && problem === undefined) ||
      run?.status === 'running',
    async start(request) {
      go({ started: undefined }, { replace: true });
      go({ started: ((await dataOf(request)) as { traceId?: string }).traceId }, { replace: true });
    },
  };
}

/** What came of a run: the answer of an agent, or the result of a tool or a workflow. */
export function Outcome({ started: { traceId, run, problem } }: { started: StartedRun }) {
  const { response, result, results } = (run?.result ?? {}) as Record<string, unknown>;
  const answer = result ?? results;
  return (
    <div aria-live="polite">
      <Problem problem={problem} />
      {traceId !== undefined && (
        <section class="outcome" aria-label="Outcome">
          <p>
            <StatusSign status={run?.status ?? 'running'} />{' '}
            {run?.closedAt != null && (
              <span class="quiet">
                {formatDuration(Date.parse(run.closedAt) - Date.parse(run.startedAt))} ·{' '}
              </span>
            )}
            <a href={hrefOf('runs', { run: traceId })}>its run</a>
          </p>
          {run?.error !== undefined && <Problem problem={{ details: undefined, ...run.error }} />}
          {typeof response === 'string' && <p class="said">{response}</p>}
          {answer !== undefined && <JsonTree value={answer} />}
        </section>
      )}
    </div>
  );
}
