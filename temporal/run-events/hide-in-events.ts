import type { RunEvent } from '../../src/contracts/http/run-events';
import { hideInResult, type Hiding } from '../payloads/hide-in-stored';
import type { AdmitBytes } from '../runs/admit-bytes';

/**
 * Strikes out the credentials of events. The end of a run may have a result that stays in the store.
 * @throws as `hideInResult` does
 */
export async function hideInEvents(
  events: readonly RunEvent[],
  redactor: Hiding,
  admit: AdmitBytes,
): Promise<RunEvent[]> {
  return Promise.all(
    events.map(async (event) => {
      if (event.type !== 'run.completed') return redactor.value(event);
      const { result, ...rest } = event;
      return { ...redactor.value(rest), result: await hideInResult(result, redactor, admit) };
    }),
  );
}
