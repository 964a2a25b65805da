import { go, hrefOf, place, useGo } from '../../address';
import { dataOf } from '../../api/client';
import { type FollowedRun, useRun } from '../../api/follow-run';
import { formatTook } from '../../parts/format';
import { JsonTree } from '../../parts/json-tree';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';

export interface StartedRun extends FollowedRun {
  readonly traceId: string | undefined;
  readonly isRunning: boolean;
  readonly start: (request: Parameters<typeof dataOf<{ readonly data: object }>>[0]) => Promise<void>;
}

/** Starts the runs of a form, and follows the latest one, which the address names. */
export function useStarted(): StartedRun {
  const traceId = place.value.params['started'];
  const goLater = useGo();
  const followed = useRun(traceId);
  const { run, problem } = followed;
  return {
    ...followed,
    traceId,
    isRunning: traceId !== undefined && problem === undefined && run?.closedAt == null,
    async start(request) {
      go({ started: undefined }, { replace: true });
      goLater({ started: ((await dataOf(request)) as { traceId?: string }).traceId }, { replace: true });
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
            {run?.closedAt != null && <span class="quiet">{formatTook(run)} · </span>}
            <a href={hrefOf('runs', { run: traceId })}>its run</a>
          </p>
          <Problem problem={run?.error} />
          {typeof response === 'string' && <p class="said">{response}</p>}
          {answer !== undefined && <JsonTree value={answer} />}
        </section>
      )}
    </div>
  );
}
