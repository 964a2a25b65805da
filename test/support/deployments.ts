import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { PartProcess } from './process';
import type { Stage } from './stage';

/** Settings of a worker of a build. */
export function buildOf(deployment: string, build: string): Record<string, string> {
  return { WORKER_DEPLOYMENT_NAME: deployment, WORKER_BUILD_ID: build };
}

export interface Deployed {
  readonly code: number | string;
  /** What the command printed. */
  readonly output: string;
}

/** Starts `npm run deploy` with these arguments. */
export function deploying(stage: Stage, deployment: string, ...args: string[]): PartProcess {
  return stage.spawn('deploy', { WORKER_DEPLOYMENT_NAME: deployment }, { args });
}

/** Runs `npm run deploy` with these arguments and waits for its end. */
export async function deploy(stage: Stage, deployment: string, ...args: string[]): Promise<Deployed> {
  const process = deploying(stage, deployment, ...args);
  const code = await process.exited;
  return { code, output: process.output() };
}

/** @throws if the exit code is not 0 */
export async function deployed(stage: Stage, deployment: string, ...args: string[]): Promise<string> {
  const { code, output } = await deploy(stage, deployment, ...args);
  if (code !== 0) throw new Error(`deploy ${args.join(' ')} ended with ${code}: ${output}`);
  return output;
}

export interface VersioningInfo {
  /** `PINNED` or `AUTO_UPGRADE`; undefined for a run of workers without a build. */
  readonly behavior: string | undefined;
  readonly build: string | undefined;
}

/** What the engine knows of a run's build. */
export async function versioningOf(client: Client, workflowId: string): Promise<VersioningInfo> {
  const { raw }: WorkflowExecutionDescription = await client.workflow.getHandle(workflowId).describe();
  const info = raw.workflowExecutionInfo?.versioningInfo;
  const behavior = [undefined, 'PINNED', 'AUTO_UPGRADE'][info?.behavior ?? 0];
  return { behavior, build: info?.deploymentVersion?.buildId || undefined };
}

/** The number of runs of a build, including those that have ended. */
export async function runsOf(client: Client, deployment: string, build: string): Promise<number> {
  const { count } = await client.workflow.count(`TemporalWorkerDeploymentVersion = '${deployment}:${build}'`);
  return count;
}
