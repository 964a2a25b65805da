import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { isHoldfastError } from '../../../src/base/errors';
import type { Engine } from '../../../temporal/engine';
import type { ShownRuns } from '../../../temporal/runs/run-lookup';
import { loadText } from '../../../temporal/payloads/stored-json';
import { findYoungRun } from '../../../temporal/runs/young-run';
import { JSON_TYPE, type ResourceSource, jsonContent } from './sources';
import type { StartedRun } from '../../../temporal/runs/started-run';
import type { MemorySearch } from './memory-tool';
import { withSteps } from '../../../requests/answers/with-steps';

const RUN_URI_TEMPLATE = 'holdfast://runs/{runId}';
export const MEMORIES_URI_TEMPLATE = 'holdfast://users/{userId}/memories';
const MEMORIES_URI = /^holdfast:\/\/users\/([^/]+)\/memories$/;
const RUN_URI = /^holdfast:\/\/runs\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Creates the source of the records of runs. */
export function runResources(engine: Engine, shown: ShownRuns): ResourceSource {
  return {
    templates: [
      {
        uriTemplate: RUN_URI_TEMPLATE,
        name: 'run',
        description: 'The record of a run: its state, its steps, and its result or error',
        mimeType: JSON_TYPE,
      },
    ],
    async read(uri, { context }) {
      const { owner, admit } = context;
      const traceId = readRunUri(uri);
      if (traceId === undefined) return undefined;
      try {
        const run = await findYoungRun(engine, { ...shown, owner, admit }, { traceId });
        return [
          { uri, mimeType: JSON_TYPE, text: await loadText(await withSteps(engine, run, context), admit) },
        ];
      } catch (error) {
        if (isHoldfastError(error) && error.code === 'RUN_NOT_FOUND') throw new ResourceNotFoundError(uri);
        throw error;
      }
    },
  };
}

/** The address of the record of a run. Pure. */
export function uriOfRun({ runId }: Pick<StartedRun, 'runId'>): string {
  return `holdfast://runs/${runId}`;
}

/** Reads the run id of an address. @returns undefined for an address of anything else. Pure. */
function readRunUri(uri: string): string | undefined {
  return RUN_URI.exec(uri)?.[1];
}

/** Reads the user of an address of memories. @returns undefined for an address of anything else. Pure. */
export function readMemoriesUri(uri: string): string | undefined {
  const user = MEMORIES_URI.exec(uri)?.[1];
  try {
    return user === undefined ? undefined : decodeURIComponent(user);
  } catch {
    // An invalid percent escape names no user.
    return undefined;
  }
}

/** Creates the source of the memories of users. */
export function memoryResources(memories: MemorySearch): ResourceSource {
  return {
    templates: [
      {
        uriTemplate: MEMORIES_URI_TEMPLATE,
        name: 'memories',
        description: 'The latest memories of a user',
        mimeType: JSON_TYPE,
      },
    ],
    async read(uri, { context: { caller } }) {
      const userId = readMemoriesUri(uri);
      return userId === undefined ? undefined : jsonContent(uri, await memories.find({ userId }, caller));
    },
  };
}
