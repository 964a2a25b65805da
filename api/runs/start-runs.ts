import { newId } from '../../src/base/ids';
import { completePrefix } from '../../src/contracts/runs/run-owner';
import type { RunKey } from '../../temporal/runs/keyed-runs';
import type { RunClient } from '../../temporal/runs/run-client';
import type { StartedRun } from '../../temporal/runs/started-run';
import type { RunSubject } from '../../temporal/search-attributes';
import type { RequestContext } from '../http/route';
import { computeDigest } from '../../src/base/digest';
import type { CallerRuns } from './caller-runs';

/** The data for starting a run, after its request was checked. */
export interface PreparedRun {
  /** Name of a workflow in `workflows/index.ts`. */
  readonly workflowType: string;
  /** Part of the workflow id of a run without a key, for readers: the name of a tool or a workflow. */
  readonly label?: string;
  readonly input: unknown;
  readonly subject: RunSubject;
  /** One line for the Temporal UI. */
  readonly summary: string;
  /** As in `RunRequest`. */
  readonly runTimeoutMs: number | undefined;
  /** As in `RunRequest`. */
  readonly startBefore?: number;
  /** As in `RunRequest`. */
  readonly placedAt?: number;
}

/** A request that becomes a run. */
export interface RequestedRun {
  /** The kind of the runs, which their workflow ids name. Each kind has its own runs for the same key. */
  readonly prefix: string;
  /** The workflow id of a run without a key; absent: built from prefix and label. */
  readonly workflowId?: string;
  /** The content of the request. A request with the same key and other content is rejected. */
  readonly asked: unknown;
  /**
   * Looks up what the run needs and checks the request. It is not called if the request repeats an earlier one,
   * whose response stays the same even if its tools were changed since.
   */
  prepare(): Promise<PreparedRun>;
  /** Called as soon as the run is known, whether this request started or joined it. */
  onRun?(): void;
}

/**
 * Starts the run of a request and waits for its result. A repeat with the same idempotency key joins the first run,
 * unless that failed because of the service before it had an effect.
 * @param client checks the caller first, if the run belongs to it
 * @throws HoldfastError as `RunClient.execute`, `checkCaller` and the request's `prepare` do
 */
export async function startRun<R>(
  client: RunClient | CallerRuns,
  request: RequestedRun,
  context: RequestContext,
): Promise<R> {
  if ('checkCaller' in client) await client.checkCaller(context.caller);
  const prefix = completePrefix(context.owner, request.prefix);
  const key = toRunKey({ ...request, prefix }, context.idempotencyKey);
  const noteRun = (run: StartedRun): void => {
    context.noteRun(run);
    request.onRun?.();
  };
  const waiting = { waitMs: context.waitMs, admit: context.admit };
  const joined = key === undefined ? undefined : await client.join<R>(key, noteRun, waiting);
  if (joined !== undefined && 'result' in joined) return joined.result;
  const { label, ...run } = await request.prepare();
  const name = label === undefined ? prefix : `${prefix}/${label}`;
  const identity =
    key === undefined || joined === undefined
      ? { workflowId: request.workflowId ?? `${name}/${newId()}` }
      : { workflowId: joined.freeWorkflowId, digest: key.digest };
  return client.execute<R>({ ...run, ...identity, requestId: context.requestId }, noteRun, waiting);
}

/**
 * Builds the key of a run. The workflow id contains the idempotency key, so that a repeat finds the run of the first
 * request.
 */
function toRunKey({ prefix, asked, workflowId }: RequestedRun, key: string | undefined): RunKey | undefined {
  if (key === undefined) return undefined;
  // A workflow id that was published before the start must not be replaced by that of another run.
  const mayRunAgain = workflowId === undefined;
  return { workflowId: buildKeyedId(prefix, key), digest: computeDigest(asked), mayRunAgain };
}

/** Builds the workflow id of a request for which it has to be known before the run is started. */
export function buildWorkflowId(
  prefix: string,
  { idempotencyKey, owner }: Pick<RequestContext, 'idempotencyKey' | 'owner'>,
): string {
  const complete = completePrefix(owner, prefix);
  return idempotencyKey === undefined ? `${complete}/${newId()}` : buildKeyedId(complete, idempotencyKey);
}

function buildKeyedId(prefix: string, key: string): string {
  return `${prefix}/key-${key}`;
}
