import type { Build, Deployment } from './deployment';
import type { Deployments, Queue } from './deployments';
import { type BuildRef, isFresh, isOfBuild, POLLER_FRESHNESS_MS } from '../pollers';
import { serverClock } from '../server-clock';
import { pluralize, formatQueues } from './wording';

/** The words for workers that may still poll. The server also lists workers whose polls have ended. */
const LATELY = `polled in the last ${POLLER_FRESHNESS_MS / 1_000} s`;

/**
 * Describes the builds of a deployment in lines: state, open runs and workers of each.
 * @throws DeploymentProblem if the server cannot be asked
 */
export async function describeStatus(deployments: Deployments, deployment: Deployment): Promise<string[]> {
  const { name, builds, current, ramp } = deployment;
  const rows = await Promise.all(builds.map((build) => buildRow(deployments, name, build, ramp?.percent)));
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const queues = withoutRepeats(
    (await Promise.all(builds.map(({ buildId }) => deployments.listQueues(name, buildId)))).flat(),
  );
  const others = await countWorkers(deployments, queues, undefined);
  return [
    `deployment ${name}, task queues ${formatQueues(queues)}`,
    ...rows.map((row) =>
      `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
    ),
    ...(current === undefined ? ['  no build is current: new runs go to workers without a build'] : []),
    ...(others > 0 ? [`  ${pluralize(others, 'worker')} without a build ${LATELY}`] : []),
  ];
}

async function buildRow(
  deployments: Deployments,
  deploymentName: string,
  { buildId, state, since }: Build,
  percent = 0,
): Promise<string[]> {
  const [runs, queues] = await Promise.all([
    deployments.countOpenRuns(deploymentName, buildId),
    deployments.listQueues(deploymentName, buildId),
  ]);
  const workers = await countWorkers(deployments, queues, { deploymentName, buildId });
  const share = state === 'ramping' ? ` (${percent} %)` : '';
  return [
    `build ${buildId}`,
    `${state}${share}${since === 0 ? '' : ` since ${new Date(since).toISOString()}`}`,
    pluralize(runs, 'open run'),
    `${pluralize(workers, 'worker')} ${LATELY}`,
  ];
}

/** Counts the workers of a build that may still poll; with undefined, the workers without a build. */
async function countWorkers(
  deployments: Deployments,
  queues: readonly Queue[],
  build: BuildRef | undefined,
): Promise<number> {
  const looks = await Promise.all(queues.map((queue) => deployments.describeQueue(queue)));
  const now = serverClock.now();
  const polling = looks
    .flatMap(({ pollers }) => pollers)
    .filter((poller) => isOfBuild(poller, build) && isFresh(poller.lastPoll, now));
  return new Set(polling.map(({ identity }) => identity)).size;
}

function withoutRepeats(queues: readonly Queue[]): Queue[] {
  return [...new Map(queues.map((queue) => [`${queue.kind} ${queue.name}`, queue])).values()];
}
