import { z } from 'zod';
import { isHoldfastError } from '../../src/base/errors';
import type { Caller } from '../../src/access/caller';
import type { SecretBox } from '../../src/secrets/secret-box';
import type { StartedRun } from '../../temporal/started-run';

export type Run = Pick<StartedRun, 'runId' | 'workflowId'>;

/**
 * Makes and reads the ids of tasks. An id is its run and its caller, sealed, so that it cannot be guessed, every process of the
 * deployment reads it, and nothing is stored.
 */
export interface TaskIds {
  seal(run: Run, caller: Caller): string;
  /** @returns undefined unless the id was made for the same caller */
  open(id: string, caller: Caller): Run | undefined;
}

/** `task`: the id of a task. `state`: what a client sends back with the answers of its user. */
type Purpose = 'task' | 'state';

const contentSchema = z.tuple([z.string(), z.string(), z.string().nullable()]);

export function createTaskIds(secrets: SecretBox, use: Purpose = 'task'): TaskIds {
  const purpose = `mcp/${use}`;

  function read(id: string): z.infer<typeof contentSchema> | undefined {
    try {
      return contentSchema.parse(JSON.parse(secrets.open(id, purpose)));
    } catch (error) {
      // Any text may be sent as an id.
      if (isHoldfastError(error)) return undefined;
      throw error;
    }
  }
  return {
    seal: ({ workflowId, runId }, { id }) =>
      secrets.seal(JSON.stringify([workflowId, runId, id ?? null]), purpose),
    open(id, caller) {
      const [workflowId, runId, owner] = read(id) ?? [];
      if (workflowId === undefined || runId === undefined || owner !== (caller.id ?? null)) return undefined;
      return { workflowId, runId };
    },
  };
}
