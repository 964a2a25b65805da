import { AsyncLocalStorage } from 'node:async_hooks';
import type { RunOwner } from '../contracts/runs/run-owner';

/** For whom a name is looked up, and for how long. */
export interface LookUp {
  readonly owner: RunOwner;
  /** Ends the look-up with the call that needs it; absent: it ends by its own limit. */
  readonly signal?: AbortSignal | undefined;
}

/** The look-ups that no single caller has asked for share one part. No tenant has this name. */
export const SHARED: LookUp = { owner: { tenant: '' } };

const lookUps = new AsyncLocalStorage<LookUp>();

/**
 * Runs `work`, whose connections look up names for `lookUp`. The HTTP client passes nothing of a request on to the `lookup` of the
 * socket that it opens for it, but opens the socket in the context of the request.
 */
export function withLookUp<T>(lookUp: LookUp, work: () => T): T {
  return lookUps.run(lookUp, work);
}

export function currentLookUp(): LookUp {
  const lookUp = lookUps.getStore() ?? SHARED;
  // A socket that is opened again for the next request may still be in the context of one that has ended.
  return lookUp.signal?.aborted === true ? { owner: lookUp.owner } : lookUp;
}
