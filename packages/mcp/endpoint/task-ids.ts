import { z } from 'zod';
import { isHoldfastError } from '../../../src/base/errors';
import type { Caller } from '../../../src/access/caller';
import type { SecretBox } from '../../../src/secrets/secret-box';
import type { StartedRun } from '../../../temporal/runs/started-run';

export type Run = Pick<StartedRun, 'runId' | 'workflowId'>;

/** What a client sends back with the answers of its user. */
export interface CallState extends Run {
  /** The tool that was called. */
  readonly tool: string;
}

/**
 * Makes and reads the ids of tasks. An id is its run and its caller, sealed, so that it cannot be guessed, every process of the
 * deployment reads it, and nothing is stored.
 */
export interface TaskIds {
  seal(run: Run, caller: Caller): string;
  /** @returns undefined unless the id was made for the same caller */
  open(id: string, caller: Caller): Run | undefined;
}

/** Makes and reads the states of calls that wait for answers of the client's user, as ids of tasks are made. */
export interface CallStates {
  seal(state: CallState, caller: Caller): string;
  /** @returns undefined unless the state was made for the same caller */
  open(state: string, caller: Caller): CallState | undefined;
}

export function createTaskIds(secrets: SecretBox): TaskIds {
  const seals = createSeals(secrets, 'mcp/task', z.tuple([z.string(), z.string()]));
  return {
    seal: ({ workflowId, runId }, caller) => seals.seal([workflowId, runId], caller),
    open(id, caller) {
      const [workflowId, runId] = seals.open(id, caller) ?? [];
      return workflowId === undefined || runId === undefined ? undefined : { workflowId, runId };
    },
  };
}

export function createCallStates(secrets: SecretBox): CallStates {
  const state = z.object({ workflowId: z.string(), runId: z.string(), tool: z.string() });
  return createSeals(secrets, 'mcp/state', state);
}

interface Seals<T> {
  seal(value: T, caller: Caller): string;
  open(text: string, caller: Caller): T | undefined;
}

function createSeals<T>(secrets: SecretBox, purpose: string, schema: z.ZodType<T>): Seals<T> {
  const contentSchema = z.tuple([schema, z.string(), z.string().nullable()]);

  function read(text: string): z.infer<typeof contentSchema> | undefined {
    try {
      return contentSchema.parse(JSON.parse(secrets.open(text, purpose)));
    } catch (error) {
      // Any text may be sent as an id.
      if (isHoldfastError(error)) return undefined;
      throw error;
    }
  }
  return {
    seal: (value, { tenant, id }) => secrets.seal(JSON.stringify([value, tenant, id ?? null]), purpose),
    open(text, caller) {
      const [value, tenant, id] = read(text) ?? [];
      return tenant === caller.tenant && id === (caller.id ?? null) ? value : undefined;
    },
  };
}
