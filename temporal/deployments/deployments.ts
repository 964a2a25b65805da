import { setTimeout as delay } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { beforeDeadline } from '../deadline';
import type { EngineConnection } from '../engine';
import { describeError, isTransient } from '../runs/run-errors';
import { type Deployment, toDeployment } from './deployment';
import { DeploymentProblem, EngineAway } from './problem';
import { type Poller, toPoller } from '../pollers';
import { NOT_FOUND, PERMISSION_DENIED } from '../grpc-status';

const DEADLINE_MS = 10_000;
/** How often the engine has to answer NOT_FOUND before a deployment counts as missing, and the time between, ms. */
const NOT_FOUND_ATTEMPTS = 3;
const TRY_AGAIN_AFTER_MS = 250;
const FAILED_PRECONDITION = 9;
const UNIMPLEMENTED = 12;
const { TaskQueueType } = temporal.api.enums.v1;
const QUEUE_KINDS = ['workflow', 'activity'] as const;
const QUEUE_TYPES = {
  workflow: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  activity: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
} as const;

/** A task queue by its name and the kind of its tasks. */
export interface Queue {
  readonly name: string;
  readonly kind: (typeof QUEUE_KINDS)[number];
}

/** A change of which build takes new runs. */
export interface Routing {
  /** Undefined stands for workers without a build, and in `setRamp` for no ramp. */
  readonly buildId: string | undefined;
  /** The deployment as it was read before the change. */
  readonly deployment: Deployment;
  /** Whether the new build may lack workers on queues that the previous one polls. */
  readonly ignoreMissingQueues: boolean;
}

/**
 * The worker deployments of a namespace. All methods throw `DeploymentProblem`, and `EngineAway` if the server
 * does not answer.
 */
export interface Deployments {
  /** The names of all deployments. */
  list(): Promise<string[]>;
  /** Undefined if no worker of the deployment ever polled. */
  describe(name: string): Promise<Deployment | undefined>;
  /** The queues that workers of a build have polled; empty if the build does not exist. */
  listQueues(name: string, buildId: string): Promise<Queue[]>;
  /** The workers that polled a queue in the last five minutes, and the build to which it hands new runs. */
  describeQueue(
    queue: Queue,
  ): Promise<{ readonly pollers: readonly Poller[]; readonly current: string | undefined }>;
  /** Counts the open runs that began on a build or moved to it. The engine's index shows them about a second late. */
  countOpenRuns(name: string, buildId: string): Promise<number>;
  setCurrent(routing: Routing): Promise<void>;
  setRamp(routing: Routing & { readonly percent: number }): Promise<void>;
}

export function createDeployments(
  { native, namespace }: Pick<EngineConnection, 'native' | 'namespace'>,
  identity: string,
): Deployments {
  const { workflowService: service } = native;

  async function call<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await untilFound(action);
    } catch (error) {
      throw toProblem(error);
    }
  }

  /**
   * A workflow of the engine keeps each deployment and each of its versions. While that workflow continues as new, the
   * engine refuses calls of it and answers NOT_FOUND for a deployment that exists, so one such answer is no proof.
   */
  async function untilFound<T>(action: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await beforeDeadline(native, Date.now() + DEADLINE_MS, action);
      } catch (error) {
        if (codeOf(error) !== NOT_FOUND || attempt === NOT_FOUND_ATTEMPTS) throw error;
        await delay(TRY_AGAIN_AFTER_MS);
      }
    }
  }

  async function undefinedIfNotFound<T>(action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await untilFound(action);
    } catch (error) {
      if (codeOf(error) === NOT_FOUND) return undefined;
      throw toProblem(error);
    }
  }

  function request({ buildId = '', deployment, ignoreMissingQueues }: Routing) {
    const { name: deploymentName, conflictToken } = deployment;
    const ignoreMissingTaskQueues = ignoreMissingQueues;
    return { namespace, deploymentName, buildId, conflictToken, identity, ignoreMissingTaskQueues };
  }

  return {
    async list() {
      const { workerDeployments } = await call(() => service.listWorkerDeployments({ namespace }));
      return workerDeployments.map(({ name }) => name ?? '');
    },
    async describe(name) {
      const deployment = await undefinedIfNotFound(() =>
        service.describeWorkerDeployment({ namespace, deploymentName: name }),
      );
      return deployment && toDeployment(name, deployment);
    },
    async listQueues(deploymentName, buildId) {
      const version = await undefinedIfNotFound(() =>
        service.describeWorkerDeploymentVersion({
          namespace,
          deploymentVersion: { deploymentName, buildId },
        }),
      );
      return (version?.workerDeploymentVersionInfo?.taskQueueInfos ?? []).flatMap(({ name, type }) => {
        const kind = QUEUE_KINDS.find((known) => QUEUE_TYPES[known] === type);
        return name && kind ? [{ name, kind }] : [];
      });
    },
    async describeQueue({ name, kind }) {
      const { pollers, versioningInfo } = await call(() =>
        service.describeTaskQueue({
          namespace,
          taskQueue: { name },
          taskQueueType: QUEUE_TYPES[kind],
        }),
      );
      const current = versioningInfo?.currentDeploymentVersion?.buildId || undefined;
      return { pollers: pollers.map(toPoller), current };
    },
    async countOpenRuns(name, buildId) {
      const query = `TemporalWorkerDeploymentVersion = '${name}:${buildId}' AND ExecutionStatus = 'Running'`;
      const { count } = await call(() => service.countWorkflowExecutions({ namespace, query }));
      return Number(count);
    },
    async setCurrent(routing) {
      await call(() => service.setWorkerDeploymentCurrentVersion(request(routing)));
    },
    async setRamp({ percent, ...routing }) {
      await call(() =>
        service.setWorkerDeploymentRampingVersion({ ...request(routing), percentage: percent }),
      );
    },
  };
}

function codeOf(error: unknown): number | undefined {
  return isGrpcServiceError(error) ? error.code : undefined;
}

/** Converts an error of the engine to one that says what to do. Any other error is a bug and is returned unchanged. */
function toProblem(error: unknown): unknown {
  if (isTransient(error)) return new EngineAway(describeError(error), { cause: error });
  const code = codeOf(error);
  if (code === undefined) return error;
  const reason = describeError(error);
  const problem = (message: string): DeploymentProblem => new DeploymentProblem(message, { cause: error });
  if (code === FAILED_PRECONDITION || code === NOT_FOUND) {
    return problem(`Temporal refuses the change: ${reason}; check the status, then try again`);
  }
  if (code === UNIMPLEMENTED) {
    return problem('This Temporal server does not support worker deployments; it has to be 1.28 or later');
  }
  if (code === PERMISSION_DENIED) return problem(`Temporal does not allow it: ${reason}`);
  return problem(`Temporal answered with an error: ${reason}`);
}
