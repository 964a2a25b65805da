import type { RunEvent } from '../../src/contracts/http/run-events';
import { hideInResult, type Hiding } from '../payloads/large-values';

/** Strikes out the credentials of events. The end of a run may have a result that stays in the store. */
export function hideInEvents(events: readonly RunEvent[], redactor: Hiding): RunEvent[] {
  return events.map((event) => {
    if (event.type !== 'run.completed') return redactor.value(event);
    const { result, ...rest } = event;
    return { ...redactor.value(rest), result: hideInResult(result, redactor) };
  });
}
