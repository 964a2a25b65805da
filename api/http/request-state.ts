import type { HoldfastError } from '../../src/base/errors';
import type { StartedRun } from '../../temporal/runs/started-run';
import type { RequestContext } from './route';

/** The state that Koa keeps with a request. */
export interface RequestState {
  /** Whether the caller's key or token is still valid; absent if callers are not authenticated. */
  isStillValid?: () => Promise<boolean>;
  /** Whether a token to read one run stands for the caller, who needs nothing else then. */
  isByRunToken?: boolean;
  context: Omit<RequestContext, 'idempotencyKey' | 'ifMatch' | 'bodyStream'>;
  run?: StartedRun;
  /** Writes the body of an error, such as a page; absent if errors have the envelope. */
  errorBody?: (error: HoldfastError, status: number) => string | object;
}
