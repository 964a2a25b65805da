import { useState } from 'preact/hooks';
import { go } from '../../address';
import { send } from '../../api/client';
import { useSend } from '../../api/send';
import { Copy } from '../../parts/copy';
import { curlLine } from '../../parts/curl';
import { Problem } from '../../parts/problem';
import { needsKey } from '../../session';
import { clientCode, requestOfRun } from './request-of-run';
import type { Run } from '../../api/step';

/** What can be done with a run. */
export function RunActions({ run, onChange }: { run: Run; onChange: () => void }) {
  const { problem, send: begin } = useSend();
  const [request, setRequest] = useState<string>();
  const isOpen = run.closedAt === null;
  const stop = (how: 'cancel' | 'terminate'): void => {
    const body = how === 'cancel' ? {} : { reason: 'asked for in the console' };
    begin(async () => {
      setRequest(how);
      try {
        await send('POST', `/api/runs/{traceId}/${how}`, { traceId: run.traceId }, body);
        onChange();
      } catch (error) {
        setRequest(undefined);
        throw error;
      }
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
