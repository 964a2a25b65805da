import type { StartedRun } from '../../temporal/started-run';
import type { RequestContext } from './route';

/** What Koa keeps with a request while it is answered. */
export interface RequestState {
  context: Omit<RequestContext, 'idempotencyKey' | 'ifMatch' | 'bodyStream'>;
  run?: StartedRun;
}
