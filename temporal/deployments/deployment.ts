import { temporal } from '@temporalio/proto';
import { toMs } from '../proto-time';

const { VersionDrainageStatus } = temporal.api.enums.v1;

/**
 * `inactive`: never took runs; `current`: takes new runs; `ramping`: takes a share of them; `draining`: takes none, and runs
 * that began on it go on; `drained`: none is left.
 */
export type BuildState = 'inactive' | 'current' | 'ramping' | 'draining' | 'drained';

export interface Build {
  readonly buildId: string;
  readonly state: BuildState;
  /** When it came into this state, epoch milliseconds; 0 where the engine does not say. */
  readonly since: number;
}

/** The builds of a deployment and where new runs go. */
export interface Deployment {
  readonly name: string;
  /** The latest first. */
  readonly builds: readonly Build[];
  /** Undefined: workers without a build take new runs. */
  readonly current: string | undefined;
  readonly ramp: { readonly buildId: string; readonly percent: number } | undefined;
  /** Of this state: a change made by what was read here is refused when somebody made another first. */
  readonly conflictToken: Uint8Array;
}

type Described = temporal.api.workflowservice.v1.IDescribeWorkerDeploymentResponse;
type Summary = temporal.api.deployment.v1.WorkerDeploymentInfo.IWorkerDeploymentVersionSummary;

/** What the engine's description says. Pure. */
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
