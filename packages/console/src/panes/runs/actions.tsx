import { go } from '../../address';
import { send } from '../../api/client';
import type { Run } from '../../api/step';
import { type Action, Actions } from '../../parts/actions';
import { Copy } from '../../parts/copy';
import { curlLine } from '../../parts/curl';
import { needsKey } from '../../session';
import { clientCode, requestOfRun } from './request-of-run';

/** What can be done with a run. A run that is terminated leaves its steps where they are. */
export function RunActions({ run, onChange }: { run: Run; onChange: () => void }) {
  const stop = (how: 'cancel' | 'terminate', body: object = {}): Promise<unknown> =>
    send('POST', `/api/runs/{traceId}/${how}`, { traceId: run.traceId }, body);
  const actions: readonly Action[] =
    run.closedAt === null
      ? [
          { name: 'Cancel', scope: 'run', act: () => stop('cancel') },
          {
            name: 'Terminate',
            scope: 'admin',
            isFinal: true,
            act: () => stop('terminate', { reason: 'asked for in the console' }),
          },
        ]
      : [{ name: 'Run again …', scope: 'run', act: () => Promise.resolve(go({ rerun: 'all' })) }];
  const startRequest = requestOfRun(run);
  return (
    <>
      <Actions actions={actions} onDone={onChange} />
      <div class="actions">
        <Copy label="Copy as curl" text={() => curlLine(startRequest, location.origin, needsKey)} />
        <Copy label="Copy as client code" text={() => clientCode(startRequest, location.origin, needsKey)} />
      </div>
    </>
  );
}
