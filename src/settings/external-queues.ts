import { z } from 'zod';
import { DEFAULT_TENANT, tenantSchema } from '../contracts/tenants';
import { QUEUE_KINDS, queueName } from '../contracts/queues';
import { HoldfastError } from '../base/errors';

/** A task queue of other workers, and the tenant whose callers may name it. */
export interface ExternalQueue {
  readonly taskQueue: string;
  readonly tenant: string;
}

/** An entry of EXTERNAL_QUEUES: `queue`, or `queue@tenant`. */
export const externalQueueSchema = z.string().max(200);

/**
 * Reads the entries of EXTERNAL_QUEUES.
 * @param ownQueue TASK_QUEUE
 * @throws HoldfastError `CONFIGURATION` for a queue of the service itself, or a tenant's name that cannot be one
 */
export function readExternalQueues(entries: readonly string[], ownQueue: string): ExternalQueue[] {
  const ownQueues = new Set(QUEUE_KINDS.map((kind) => queueName(ownQueue, kind)));
  return entries.map((entry) => {
    const [, taskQueue = '', tenant = DEFAULT_TENANT] = /^(.+?)(?:@([^@]*))?$/.exec(entry) ?? [];
    if (ownQueues.has(taskQueue)) throw unusable(`"${taskQueue}" is a task queue of this service`);
    if (!tenantSchema.safeParse(tenant).success) throw unusable(`"${tenant}" is not the name of a tenant`);
    return { taskQueue, tenant };
  });
}

/** The task queues that callers of a tenant may name. Pure. */
export function queuesOf(queues: readonly ExternalQueue[], tenant: string): string[] {
  return queues.filter((queue) => queue.tenant === tenant).map(({ taskQueue }) => taskQueue);
}

function unusable(problem: string): HoldfastError {
  return new HoldfastError('CONFIGURATION', `The setting EXTERNAL_QUEUES is not usable: ${problem}`);
}
