import type { Caller } from '../src/access/caller';
import type { Logger } from '../src/base/logger';
import type { RunOwner } from '../src/contracts/runs/run-owner';
import type { Rerun } from '../src/contracts/runs/reruns';
import type { RunWebhook } from './webhooks';
import type { AdmitBytes, StartedRun } from '../temporal/runs/started-run';

/** What is known of the caller that starts a run, besides the request itself. */
export interface Starting {
  readonly requestId: string;
  readonly logger: Logger;
  readonly caller: Caller;
  /** The caller as the owner of runs: of those that the request starts, and of those that it may see. */
  readonly owner: RunOwner;
  /** How long the response may wait for its run, milliseconds, if the caller prefers to wait less than usual. */
  readonly waitMs?: number | undefined;
  /** The `Idempotency-Key` header, already validated. It differs from caller to caller if callers are authenticated. */
  readonly idempotencyKey: string | undefined;
  /** Where the run is reported to; absent: nowhere. */
  readonly webhook?: RunWebhook | undefined;
  /** As in `RunRequest`. */
  readonly note?: unknown;
  /** As in `RunRequest`. */
  readonly depth?: number | undefined;
  /** The run that this request runs again, with what is asked to be otherwise; absent for all other requests. */
  readonly rerun?: (Rerun & { readonly asked: unknown }) | undefined;
  /** Takes room for large values, which is given back when the response was sent or its caller has gone. */
  readonly admit: AdmitBytes;
  /** Gives back the room that was taken so far; absent: none is taken. */
  releaseRoom?(): void;
  /** Aborts when the response is not needed any more, because the caller has gone or the service is stopping. */
  signal(): AbortSignal;
  /** Records the run that this request started, so that the response's headers and log lines name it. */
  noteRun(run: StartedRun): void;
}

/** What is known of a run that a worker prepares: no caller waits for it, and it has no key. Pure. */
export function startingWithoutRequest({
  signal,
  ...known
}: Pick<Starting, 'requestId' | 'logger' | 'caller' | 'owner'> & { readonly signal: AbortSignal }): Starting {
  return {
    ...known,
    idempotencyKey: undefined,
    waitMs: 0,
    admit: () => Promise.resolve(),
    signal: () => signal,
    noteRun: () => undefined,
  };
}
