import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../src/base/errors';
import { newId, computeDigest } from '../src/base/ids';
import type { HeldFiles } from '../src/contracts/runs/files';
import { completePrefix } from '../src/contracts/runs/run-owner';
import type { Rerun } from '../src/contracts/runs/reruns';
import type { RunKey } from '../temporal/runs/keyed-runs';
import type { RunClient, RunRequest } from '../temporal/runs/run-client';
import type { StartedRun } from '../temporal/runs/started-run';
import type { RunSubject } from '../temporal/search-attributes';
import type { Starting } from './starting';
import type { CallerRuns } from './caller-runs';

/** The data for starting a run, after its request was checked. */
export interface PreparedRun {
  /** Name of a workflow in `workflows/index.ts`. */
  readonly workflowType: string;
  /** Part of the workflow id of a run without a key, for readers: the name of a tool or a workflow. */
  readonly label?: string;
  readonly input: unknown;
  /** As in `RunRequest`. */
  readonly files?: HeldFiles | undefined;
  readonly subject: RunSubject;
  /** One line for the Temporal UI. */
  readonly summary: string;
  /** As in `RunRequest`. */
  readonly runTimeoutMs: number | undefined;
  /** As in `RunRequest`. */
  readonly startBefore?: number;
  /** As in `RunRequest`. */
  readonly placedAt?: number;
  /** As in `RunRequest`. */
  readonly usesModels?: boolean;
  /** As in `RunRequest`. */
  readonly agent?: string | undefined;
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
  context: Starting,
): Promise<R> {
  if ('checkCaller' in client) await client.checkCaller(context.caller);
  const { webhook, rerun } = context;
  // The id of a turn is known before, and keeps its form.
  const isRerun = rerun !== undefined && request.workflowId === undefined;
  const prefix = completePrefix(context.owner, isRerun ? `rerun/${request.prefix}` : request.prefix);
  const askedContent = rerun === undefined ? request.asked : ['rerun', rerun.of.traceId, rerun.asked];
  // Keys of requests without a webhook stay what they were.
  const content = webhook?.option === undefined ? askedContent : [askedContent, webhook.option];
  const key = toRunKey({ ...request, asked: content, prefix }, context.idempotencyKey);
  const noteRun = (run: StartedRun): void => {
    context.noteRun(run);
    request.onRun?.();
  };
  const waiting = { waitMs: context.waitMs, admit: context.admit };
  const noteJoined = (run: StartedRun): void => {
    noteRun(run);
    // The process that started the run may have died before it started the feed.
    webhook?.report({ workflowId: run.workflowId, digest: key?.digest }).catch((error: unknown) => {
      context.logger.warn({ reason: messageOf(error) }, 'a webhook could not be started again');
    });
  };
  const joined = key === undefined ? undefined : await client.join<R>(key, noteJoined, waiting);
  if (joined !== undefined && 'result' in joined) return joined.result;
  const { label, ...prepared } = await request.prepare();
  const run = rerun === undefined ? prepared : asRerun(prepared, rerun);
  const name = label === undefined ? prefix : `${prefix}/${label}`;
  const identity =
    key === undefined || joined === undefined
      ? { workflowId: request.workflowId ?? `${name}/${newId()}` }
      : { workflowId: joined.freeWorkflowId, digest: key.digest };
  // Run and feed start at the same time, so that nothing waits for the feed; a feed without a run ends by itself.
  const report = webhook && (() => webhook.report(identity));
  const reported = report?.();
  reported?.catch(() => undefined);
  const noteStarted = (started: StartedRun): void => {
    noteRun(started);
    if (run.files === undefined) return;
    run.files.current = undefined;
    context.releaseRoom?.();
  };
  const result = await client.execute<R>(
    { ...run, ...identity, requestId: context.requestId, note: context.note, depth: context.depth },
    noteStarted,
    waiting,
  );
  // The answer is that of the run. What reports it is started by and by.
  if (report !== undefined) reported?.catch(() => reportLater(report, context));
  return result;
}

const REPORT_AFTER_MS = [1_000, 10_000, 60_000];

/** Starts a feed that could not be started with its run. */
async function reportLater(report: () => Promise<void>, { logger }: Starting): Promise<void> {
  for (const delayMs of REPORT_AFTER_MS) {
    await delay(delayMs, undefined, { ref: false });
    try {
      await report();
      return;
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'the webhook of a run could not be started');
    }
  }
}

function asRerun(run: PreparedRun, { of, reused }: Rerun): PreparedRun & Pick<RunRequest, 'rerun'> {
  return { ...run, subject: { ...run.subject, rerunOf: of.traceId }, rerun: { of, reused } };
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
  { idempotencyKey, owner }: Pick<Starting, 'idempotencyKey' | 'owner'>,
): string {
  const complete = completePrefix(owner, prefix);
  return idempotencyKey === undefined ? `${complete}/${newId()}` : buildKeyedId(complete, idempotencyKey);
}

function buildKeyedId(prefix: string, key: string): string {
  return `${prefix}/key-${key}`;
}
