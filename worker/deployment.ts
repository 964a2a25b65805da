import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { WorkerOptions } from '@temporalio/worker';
import type { Config } from '../src/settings/config';
import { HoldfastError } from '../src/base/errors';

export type DeploymentConfig = Pick<Config, 'WORKER_DEPLOYMENT_NAME' | 'WORKER_BUILD_ID'>;

/**
 * The deployment and build of this worker; undefined if workers are not versioned.
 * @throws HoldfastError `CONFIGURATION` if only one of the two is set, because the worker would then take tasks of
 * every build
 */
export function toDeploymentVersion(config: DeploymentConfig): WorkerDeploymentVersion | undefined {
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

/** The options by which a worker reports its build to the server. Every worker of a process has the same build. */
export function deploymentOptions(config: DeploymentConfig): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  const version = toDeploymentVersion(config);
  if (version === undefined) return {};
  return {
    workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' },
  };
}
