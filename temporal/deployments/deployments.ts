import { isGrpcServiceError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { beforeDeadline } from '../deadline';
import type { EngineConnection } from '../engine';
import { describe as reasonOf, isTransient } from '../run-errors';
import type { Deployment } from './deployment';
import { toDeployment } from './deployment';
import { DeploymentProblem, EngineAway } from './problem';
import type { Poller } from '../pollers';
import { toPoller } from '../pollers';

const DEADLINE_MS = 10_000;
const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const FAILED_PRECONDITION = 9;
const UNIMPLEMENTED = 12;
const { TaskQueueType } = temporal.api.enums.v1;
const QUEUE_KINDS = ['workflow', 'activity'] as const;
const QUEUE_TYPES = {
  workflow: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  activity: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
} as const;

/** A task queue by its name and what is taken from it. */
export interface Queue {
  readonly name: string;
  readonly kind: (typeof QUEUE_KINDS)[number];
}

/** Where new runs shall go, in a deployment as it was read. */
export interface Routing {
  /** Undefined: to workers without a build; as a ramp: no ramp. */
  readonly buildId: string | undefined;
  readonly deployment: Deployment;
  /** Queues of the build before may be without a worker. */
  readonly ignoreMissingQueues: boolean;
}

/** The worker deployments of a namespace. All methods throw `DeploymentProblem`, `EngineAway` where there is no answer. */
export interface Deployments {
  /** Names of all. */
  list(): Promise<string[]>;
  /** Undefined where no worker of it ever polled. */
  describe(name: string): Promise<Deployment | undefined>;
  /** Queues that workers of a build have polled; none where there is no such build. */
  queuesOf(name: string, buildId: string): Promise<Queue[]>;
  /** Who polled a queue over the last five minutes, and to which build it hands new runs. */
  queue(queue: Queue): Promise<{ readonly pollers: readonly Poller[]; readonly current: string | undefined }>;
  /** How many runs that began on a build, or moved to it, go on; the engine's index learns of them a moment late. */
  openRuns(name: string, buildId: string): Promise<number>;
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
      return await beforeDeadline(native, Date.now() + DEADLINE_MS, action);
    } catch (error) {
      throw toProblem(error);
    }
  }

  async function unlessUnknown<T>(action: () => Promise<T>): Promise<T | undefined> {
    return call(() =>
      action().catch((error: unknown) => {
        if (codeOf(error) === NOT_FOUND) return undefined;
        throw error;
      }),
    );
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
      const found = await unlessUnknown(() =>
        service.describeWorkerDeployment({ namespace, deploymentName: name }),
      );
      return found && toDeployment(name, found);
    },
    async queuesOf(deploymentName, buildId) {
      const found = await unlessUnknown(() =>
        service.describeWorkerDeploymentVersion({
          namespace,
          deploymentVersion: { deploymentName, buildId },
        }),
      );
      return (found?.workerDeploymentVersionInfo?.taskQueueInfos ?? []).flatMap(({ name, type }) => {
        const kind = QUEUE_KINDS.find((known) => QUEUE_TYPES[known] === type);
        return name && kind ? [{ name, kind }] : [];
      });
    },
    async queue({ name, kind }) {
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
    async openRuns(name, buildId) {
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

/** What is no answer of the engine, nor the lack of one, is a mistake and stays as it is. */
function toProblem(error: unknown): unknown {
  if (isTransient(error)) return new EngineAway(reasonOf(error), { cause: error });
  const code = codeOf(error);
  if (code === undefined) return error;
  const reason = reasonOf(error);
  const problem = (message: string): DeploymentProblem => new DeploymentProblem(message, { cause: error });
  if (code === FAILED_PRECONDITION || code === NOT_FOUND) {
    return problem(`Temporal refuses the change: ${reason}; look at the status, then try again`);
  }
  if (code === UNIMPLEMENTED) {
    return problem('This Temporal server knows no worker deployments; it has to be 1.28 or later');
  }
  if (code === PERMISSION_DENIED) return problem(`Temporal does not allow it: ${reason}`);
  return problem(`Temporal answered with an error: ${reason}`);
}
