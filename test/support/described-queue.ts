import { temporal } from '@temporalio/proto';
import type { BuildRef, Poller } from '../../temporal/pollers';

const { WorkerVersioningMode } = temporal.api.enums.v1;

/** A task queue as the engine describes it. The SDK makes a build id for a worker without a build. */
export function described({
  current,
  ramping,
  pollers,
}: {
  readonly current?: BuildRef | undefined;
  readonly ramping?: BuildRef | undefined;
  readonly pollers: readonly Poller[];
}): object {
  return {
    versioningInfo: { currentDeploymentVersion: current, rampingDeploymentVersion: ramping },
    pollers: pollers.map(({ identity, lastPoll, build }) => ({
      identity,
      lastAccessTime: { seconds: Math.floor(lastPoll / 1_000), nanos: (lastPoll % 1_000) * 1_000_000 },
      deploymentOptions:
        build === undefined
          ? {
              workerVersioningMode: WorkerVersioningMode.WORKER_VERSIONING_MODE_UNVERSIONED,
              buildId: '@temporalio/worker@1+4f',
            }
          : { workerVersioningMode: WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED, ...build },
    })),
  };
}
