import { temporal } from '@temporalio/proto';
import { toMs } from '../proto-time';

const { VersionDrainageStatus } = temporal.api.enums.v1;

/**
 * `inactive`: the build never took runs; `current`: it takes new runs; `ramping`: it takes a share of them;
 * `draining`: it takes no new runs, and some that began on it are still open; `drained`: all of them have ended.
 */
export type BuildState = 'inactive' | 'current' | 'ramping' | 'draining' | 'drained';

export interface Build {
  readonly buildId: string;
  readonly state: BuildState;
  /** Since when the build is in this state, epoch milliseconds; 0 if the engine does not report it. */
  readonly since: number;
}

/** The builds of a deployment, and which of them take new runs. */
export interface Deployment {
  readonly name: string;
  /** Sorted by the time of creation, the latest first. */
  readonly builds: readonly Build[];
  /** The build that takes new runs; undefined if workers without a build take them. */
  readonly current: string | undefined;
  readonly ramp: { readonly buildId: string; readonly percent: number } | undefined;
  /** Identifies this state. The server refuses a change with this token when another change was made in between. */
  readonly conflictToken: Uint8Array;
}

type Described = temporal.api.workflowservice.v1.IDescribeWorkerDeploymentResponse;
type Summary = temporal.api.deployment.v1.WorkerDeploymentInfo.IWorkerDeploymentVersionSummary;

/** Converts the engine's description of a deployment. Pure. */
export function toDeployment(
  name: string,
  { workerDeploymentInfo: info, conflictToken }: Described,
): Deployment {
  const { routingConfig: routing } = info ?? {};
  const current = routing?.currentDeploymentVersion?.buildId || undefined;
  const ramping = routing?.rampingDeploymentVersion?.buildId || undefined;
  const percent = routing?.rampingVersionPercentage ?? 0;
  const builds = (info?.versionSummaries ?? [])
    .map((summary) => ({ build: toBuild(summary, current, ramping), created: toMs(summary.createTime) }))
    .sort((left, right) => right.created - left.created)
    .map(({ build }) => build);
  return {
    name,
    builds,
    current,
    ramp: ramping === undefined ? undefined : { buildId: ramping, percent },
    conflictToken: conflictToken ?? new Uint8Array(),
  };
}

function toBuild(summary: Summary, current: string | undefined, ramping: string | undefined): Build {
  const buildId = summary.deploymentVersion?.buildId ?? '';
  if (buildId === current) return { buildId, state: 'current', since: toMs(summary.currentSinceTime) };
  if (buildId === ramping) return { buildId, state: 'ramping', since: toMs(summary.rampingSinceTime) };
  const { drainageInfo } = summary;
  const since = toMs(drainageInfo?.lastChangedTime);
  return {
    buildId,
    state: drainageState(drainageInfo?.status),
    since: since || toMs(summary.createTime),
  };
}

function drainageState(status: temporal.api.enums.v1.VersionDrainageStatus | null | undefined): BuildState {
  if (status === VersionDrainageStatus.VERSION_DRAINAGE_STATUS_DRAINING) return 'draining';
  return status === VersionDrainageStatus.VERSION_DRAINAGE_STATUS_DRAINED ? 'drained' : 'inactive';
}
