import { temporal } from '@temporalio/proto';
import { toMs } from './proto-time';

const { WorkerVersioningMode } = temporal.api.enums.v1;

/** A worker with a free slot polls anew at least this often (a long poll lasts a minute), milliseconds. */
export const POLLER_FRESHNESS_MS = 70_000;

export interface BuildOf {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** A worker that polled a queue. */
export interface Poller {
  readonly identity: string;
  /** When its last poll began or ended, by the server's clock, epoch milliseconds. */
  readonly lastPoll: number;
  /** Undefined for a worker without a build. */
  readonly build: BuildOf | undefined;
}

/** What the engine says of a poller. Pure. */
export function toPoller({
  identity,
  lastAccessTime,
  deploymentOptions: options,
}: temporal.api.taskqueue.v1.IPollerInfo): Poller {
  const isVersioned = options?.workerVersioningMode === WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED;
  return {
    identity: identity ?? '',
    lastPoll: toMs(lastAccessTime),
    build: isVersioned
      ? { deploymentName: options.deploymentName ?? '', buildId: options.buildId ?? '' }
      : undefined,
  };
}

/** A build by the engine's form of it; undefined: workers without one. Pure. */
export function toBuild(
  version: temporal.api.deployment.v1.IWorkerDeploymentVersion | null | undefined,
): BuildOf | undefined {
  if (!version?.buildId) return undefined;
  return { deploymentName: version.deploymentName ?? '', buildId: version.buildId };
}

/** Whether a worker whose last poll was then may poll still; the server forgets none that ended meanwhile. Pure. */
export function isFresh(lastPoll: number, now: number): boolean {
  return lastPoll > now - POLLER_FRESHNESS_MS;
}

/** Whether a poller is of `build`, or with undefined of none. Pure. */
export function isOf({ build: own }: Pick<Poller, 'build'>, build: BuildOf | undefined): boolean {
  return own?.buildId === build?.buildId && own?.deploymentName === build?.deploymentName;
}
