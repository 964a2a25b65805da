import type { Deployments } from './deployments';
import { DeploymentProblem } from './problem';
import type { Look, WaitOptions } from './until';
import { until } from './until';
import { counted, nameOf } from './words';

export interface Draining extends WaitOptions {
  readonly name: string;
  readonly buildId: string;
}

/**
 * Waits until no run needs a build's workers any more. The engine alone decides: it counts again every few minutes, and
 * not before those have passed since the build's last new run.
 * @returns that the workers may be stopped, in a sentence
 * @throws DeploymentProblem
 */
export async function drain(deployments: Deployments, draining: Draining): Promise<string> {
  const { name, buildId, waitMs } = draining;
  const found = await until(() => look(deployments, draining), draining);
  if ('value' in found) return found.value;
  throw new DeploymentProblem(
    `After ${waitMs / 1_000} s, ${found.missing}; leave its workers running and try again, or look at the runs by ` +
      `TemporalWorkerDeploymentVersion = '${name}:${buildId}' in the Temporal UI`,
  );
}

async function look(deployments: Deployments, { name, buildId }: Draining): Promise<Look<string>> {
  const { builds = [] } = (await deployments.describe(name)) ?? {};
  const state = builds.find((build) => build.buildId === buildId)?.state;
  switch (state) {
    case undefined: {
      const known = builds.map((build) => build.buildId).join(', ');
      throw new DeploymentProblem(`${name} has no build ${buildId}; it has ${known || 'none'}`);
    }
    case 'current':
    case 'ramping':
      throw new DeploymentProblem(
        `${nameOf(buildId)} of ${name} takes new runs (${state}); promote another first`,
      );
    case 'inactive':
      return { value: `${nameOf(buildId)} of ${name} never took runs: its workers may be stopped` };
    case 'drained':
      return { value: `${nameOf(buildId)} of ${name} is drained: its workers may be stopped` };
    case 'draining':
      return { missing: await whatIsLeft(deployments, name, buildId) };
  }
}

async function whatIsLeft(deployments: Deployments, name: string, buildId: string): Promise<string> {
  const runs = await deployments.openRuns(name, buildId);
  if (runs > 0) return `${nameOf(buildId)} has ${counted(runs, 'open run')}`;
  return `${nameOf(buildId)} has no open run, which the engine has yet to make sure of`;
}
