import { isHoldfastError, messageOf, toolError } from '../src/base/errors';
import type { ExternalImplementation } from '../src/contracts/http/tools';
import { schemaOf } from '../src/contracts/http/tool-schemas';
import type { JsonObject } from '../src/contracts/json';
import type { ExternalCall } from '../src/contracts/runs/external-calls';
import { type Redactor, withoutCredentials } from '../src/secrets/redactor';
import type { ArgumentCheck } from '../src/tools/argument-check';
import { checkedArguments } from '../src/tools/argument-problems';

export interface ExternalActivitiesPorts {
  /** Whether the tenant may name a task queue (EXTERNAL_QUEUES). */
  readonly isAllowed: (taskQueue: string) => boolean;
  readonly check: ArgumentCheck;
  readonly redactor: Pick<Redactor, 'credentialsIn'>;
  /** How many workers poll a task queue for activities or for workflows. */
  readonly countPollers: (question: PolledQueue) => Promise<number>;
  /** Maximum size of a result, bytes of JSON. */
  readonly maxResultBytes: number;
}

export type PolledQueue = Pick<ExternalImplementation, 'taskQueue' | 'as'>;

export interface PreparedCall {
  /** With the defaults of those that were left out. */
  readonly args: JsonObject;
  readonly maxResultBytes: number;
}

/** The service's own part of a call of a tool of another worker. */
export interface ExternalActivities {
  /**
   * Checks a call before it is sent.
   * @throws HoldfastError `TOOL_EXECUTION_FAILED` if the settings do not allow the queue (any more), or the arguments do not fit
   */
  prepareExternalCall(call: ExternalCall): Promise<PreparedCall>;
  /** Takes the credentials of a call out of the message of its error, which may repeat them. */
  hideCredentials(args: JsonObject, message: string): Promise<string>;
  countPollers(question: PolledQueue): Promise<number>;
}

const NEVER = new AbortController().signal;

export function createExternalActivities(ports: ExternalActivitiesPorts): ExternalActivities {
  const { isAllowed, check, redactor, countPollers, maxResultBytes } = ports;
  return {
    async prepareExternalCall(call) {
      const { toolName, args, implementation } = call;
      const { taskQueue } = implementation;
      if (!isAllowed(taskQueue))
        throw toolError(`EXTERNAL_QUEUES does not have the task queue "${taskQueue}"`);
      const inputSchema = schemaOf(call);
      // Without a schema they were checked before the run.
      if (inputSchema === undefined) return { args, maxResultBytes };
      try {
        const checked = await checkedArguments(check, { name: toolName, inputSchema }, args, NEVER);
        return { args: checked, maxResultBytes };
      } catch (error) {
        if (!isHoldfastError(error) || error.code !== 'VALIDATION') throw error;
        const { field = 'args' } = (error.details ?? {}) as { readonly field?: string };
        throw toolError(`${field} ${error.message}`);
      }
    },
    hideCredentials: (args, message) =>
      Promise.resolve(messageOf(withoutCredentials(toolError(message), redactor.credentialsIn(args)))),
    countPollers,
  };
}
