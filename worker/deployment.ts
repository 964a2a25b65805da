import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { WorkerOptions } from '@temporalio/worker';
import type { Config } from '../src/settings/config';
import { HoldfastError } from '../src/base/errors';

export type DeploymentConfig = Pick<Config, 'WORKER_DEPLOYMENT_NAME' | 'WORKER_BUILD_ID'>;

/**
 * The build that this worker is; undefined where workers have none.
 * @throws HoldfastError `CONFIGURATION` where half of it is set: such a worker would mix with those of every build
 */
export function deploymentVersionOf(config: DeploymentConfig): WorkerDeploymentVersion | undefined {
  const { WORKER_DEPLOYMENT_NAME: deploymentName, WORKER_BUILD_ID: buildId } = config;
  if (deploymentName !== undefined && buildId !== undefined) return { deploymentName, buildId };
  if (deploymentName === undefined && buildId === undefined) return undefined;
  throw new HoldfastError(
    'CONFIGURATION',
    buildId === undefined
      ? 'WORKER_DEPLOYMENT_NAME is set, so WORKER_BUILD_ID has to say which build this worker is'
      : 'WORKER_BUILD_ID is set, so WORKER_DEPLOYMENT_NAME has to say what it is a build of',
  );
}

/** Tells the engine which build a worker is. Every worker of a process has the same. */
export function deploymentOptions(config: DeploymentConfig): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  const version = deploymentVersionOf(config);
  if (version === undefined) return {};
  return {
    workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' },
  };
}
