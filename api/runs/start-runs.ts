import { newId } from '../../src/base/ids';
import type { RunKey } from '../../temporal/keyed-runs';
import type { RunClient } from '../../temporal/run-client';
import type { StartedRun } from '../../temporal/started-run';
import type { RunSubject } from '../../temporal/search-attributes';
import type { RequestContext } from '../http/route';
import { digestOf } from './request-digest';

/** What a run is started with, once its request has been looked into. */
export interface PreparedRun {
  /** Name of a workflow in `workflows/index.ts`. */
  readonly workflowType: string;
  /** Part of the id of a run without a key, for a reader: a tool's name, a workflow's. */
  readonly label?: string;
  readonly input: unknown;
  readonly subject: RunSubject;
  /** One line for the Temporal UI. */
  readonly summary: string;
  /** Longest life of the run, milliseconds. */
  readonly runTimeoutMs: number;
  /** As in `RunRequest`. */
  readonly startBefore?: number;
  /** As in `RunRequest`. */
  readonly placedAt?: number;
}

/** A request that becomes a run. */
export interface RequestedRun {
  /** Begins the workflow ids; a key means a run of its own for each prefix. */
  readonly prefix: string;
  /** Of the run where no key names it; absent: made from prefix and label. */
  readonly workflowId?: string;
  /** What was asked, by which a repeat with the same key is told from another request. */
  readonly asked: unknown;
  /**
   * Looks up what the run needs and checks the request. Not called where the request repeats an earlier one: that one's
   * answer stands, whatever became of what it used.
   */
  prepare(): Promise<PreparedRun>;
  /** Called as soon as the run is known, whether this request started it or joined it. */
  onRun?(): void;
}

/**
 * Starts the run of a request and waits for its result; a repeat with the same idempotency key joins the first one's, unless
 * that failed for the service's own reasons before it had an effect.
 * @throws what `RunClient.execute` and the request's `prepare` throw
 */
export async function startRun<R>(
  client: RunClient,
  request: RequestedRun,
  context: RequestContext,
): Promise<R> {
  const key = keyOf(request, context.idempotencyKey);
  const noteRun = (run: StartedRun): void => {
    context.noteRun(run);
    request.onRun?.();
  };
  const joined = key === undefined ? undefined : await client.join<R>(key, noteRun);
  if (joined !== undefined && 'result' in joined) return joined.result;
  const { label, ...run } = await request.prepare();
  const name = label === undefined ? request.prefix : `${request.prefix}/${label}`;
  const identity =
    key === undefined || joined === undefined
      ? { workflowId: request.workflowId ?? `${name}/${newId()}` }
      : { workflowId: joined.freeWorkflowId, digest: key.digest };
  return client.execute<R>({ ...run, ...identity, requestId: context.requestId }, noteRun);
}

/** An idempotency key is the id, so that a repeat finds the run of the first request. */
function keyOf({ prefix, asked, workflowId }: RequestedRun, key: string | undefined): RunKey | undefined {
  if (key === undefined) return undefined;
  // Where the id of the run was given out before its start, no other run can take its place.
  const mayRunAgain = workflowId === undefined;
  return { workflowId: keyedId(prefix, key), digest: digestOf(asked), mayRunAgain };
}

/** A workflow id for a request, where it has to be known before the run is started. */
export function workflowIdOf(
  prefix: string,
  { idempotencyKey }: Pick<RequestContext, 'idempotencyKey'>,
): string {
  return idempotencyKey === undefined ? `${prefix}/${newId()}` : keyedId(prefix, idempotencyKey);
}

function keyedId(prefix: string, key: string): string {
  return `${prefix}/key-${key}`;
}
