import { temporal } from '@temporalio/proto';
import { toMs } from './proto-time';

const { WorkerVersioningMode } = temporal.api.enums.v1;

/** A worker with a free slot begins a new poll within this time, because a long poll lasts a minute, ms. */
export const POLLER_FRESHNESS_MS = 70_000;

/** Identifies a build of workers. */
export interface BuildRef {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** A worker that polled a queue. */
export interface Poller {
  readonly identity: string;
  /** When its last poll began or ended, by the server's clock, epoch milliseconds. */
  readonly lastPoll: number;
  /** Undefined for a worker without a build. */
  readonly build: BuildRef | undefined;
}

/** Converts the engine's description of a poller. Pure. */
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

/** Converts the engine's form of a build; undefined stands for workers without a build. Pure. */
export function toBuild(
  version: temporal.api.deployment.v1.IWorkerDeploymentVersion | null | undefined,
): BuildRef | undefined {
  if (!version?.buildId) return undefined;
  return { deploymentName: version.deploymentName ?? '', buildId: version.buildId };
}

/**
 * Whether a worker may still poll, by the time of its last poll. The server also lists workers that have ended since
 * then. Pure.
 */
export function isFresh(lastPoll: number, now: number): boolean {
  return lastPoll > now - POLLER_FRESHNESS_MS;
}

/** Whether a poller belongs to `build`; with undefined, whether it has no build. Pure. */
export function isOfBuild({ build: ownBuild }: Pick<Poller, 'build'>, build: BuildRef | undefined): boolean {
  return ownBuild?.buildId === build?.buildId && ownBuild?.deploymentName === build?.deploymentName;
}
