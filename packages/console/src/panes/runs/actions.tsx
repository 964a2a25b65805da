import { useState } from 'preact/hooks';
import { go } from '../../address';
import { type ApiProblem, client, dataOf, toProblem } from '../../api/client';
import { Copy } from '../../parts/copy';
import { curlLine } from '../../parts/curl';
import { Problem } from '../../parts/problem';
import { needsKey } from '../../session';
import { clientCode, requestOfRun } from './request-of-run';
import type { Run } from '../../api/step';

/** What can be done with a run. */
export function RunActions({ run, onChange }: { run: Run; onChange: () => void }) {
  const [problem, setProblem] = useState<ApiProblem>();
  const [request, setRequest] = useState<string>();
  const isOpen = run.closedAt === null;
  const params = { path: { traceId: run.traceId } };
  const stop = (how: 'cancel' | 'terminate'): void => {
    setRequest(how);
    setProblem(undefined);
    const call =
      how === 'cancel'
        ? client.value.POST('/api/runs/{traceId}/cancel', { params, body: {} })
        : client.value.POST('/api/runs/{traceId}/terminate', {
            params,
            body: { reason: 'asked for in the console' },
          });
    dataOf(call).then(onChange, (error: unknown) => {
      setRequest(undefined);
      setProblem(toProblem(error));
    });
  };
  const startRequest = requestOfRun(run);
  return (
    <>
      <div class="actions">
        {isOpen ? (
          <>
            <button type="button" disabled={request !== undefined} onClick={() => stop('cancel')}>
              {request === 'cancel' ? 'Being cancelled' : 'Cancel'}
            </button>
            <button type="button" disabled={request === 'terminate'} onClick={() => stop('terminate')}>
              {request === 'terminate' ? 'Being terminated' : 'Terminate'}
            </button>
          </>
        ) : (
          <button type="button" onClick={() => go({ rerun: 'all' })}>
            Run again …
          </button>
        )}
        <Copy label="Copy as curl" text={() => curlLine(startRequest, location.origin, needsKey)} />
        <Copy label="Copy as client code" text={() => clientCode(startRequest, location.origin, needsKey)} />
      </div>
      <Problem problem={problem} />
    </>
  );
}
