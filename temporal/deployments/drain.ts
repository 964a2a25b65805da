import type { Deployments } from './deployments';
import { DeploymentProblem } from './problem';
import { type Look, pollUntil, type WaitOptions } from './poll-until';
import { pluralize, describeBuild } from './wording';

export interface Draining extends WaitOptions {
  readonly name: string;
  readonly buildId: string;
}

/**
 * Waits until no run needs the workers of a build any more. The engine decides this. It counts the runs every few
 * minutes, and first does so a few minutes after the last new run of the build.
 * @returns a sentence that says that the workers may be stopped
 * @throws DeploymentProblem if the build takes new runs or does not exist, or if runs are left after `waitMs`
 */
export async function drain(deployments: Deployments, draining: Draining): Promise<string> {
  const { name, buildId, waitMs } = draining;
  const look = await pollUntil(() => checkDrained(deployments, draining), draining);
  if ('value' in look) return look.value;
  throw new DeploymentProblem(
    `After ${waitMs / 1_000} s, ${look.missing}; leave its workers running and try again, or list the runs by ` +
      `TemporalWorkerDeploymentVersion = '${name}:${buildId}' in the Temporal UI`,
  );
}

async function checkDrained(deployments: Deployments, { name, buildId }: Draining): Promise<Look<string>> {
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
        `${describeBuild(buildId)} of ${name} takes new runs (${state}); promote another first`,
      );
    case 'inactive':
      return { value: `${describeBuild(buildId)} of ${name} never took runs: its workers may be stopped` };
    case 'drained':
      return { value: `${describeBuild(buildId)} of ${name} is drained: its workers may be stopped` };
    case 'draining':
      return { missing: await describeOpenRuns(deployments, name, buildId) };
  }
}

async function describeOpenRuns(deployments: Deployments, name: string, buildId: string): Promise<string> {
  const runs = await deployments.countOpenRuns(name, buildId);
  if (runs > 0) return `${describeBuild(buildId)} has ${pluralize(runs, 'open run')}`;
  return `${describeBuild(buildId)} has no open run, which the engine has not confirmed yet`;
}
