import type { StartedRun } from '../../temporal/runs/started-run';

export const RUN_URI_TEMPLATE = 'holdfast://runs/{runId}';
export const MEMORIES_URI_TEMPLATE = 'holdfast://users/{userId}/memories';
const MEMORIES_URI = /^holdfast:\/\/users\/([^/]+)\/memories$/;
const RUN_URI = /^holdfast:\/\/runs\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The address of the record of a run. Pure. */
export function uriOfRun({ runId }: Pick<StartedRun, 'runId'>): string {
  return `holdfast://runs/${runId}`;
}

/** Reads the run id of an address. @returns undefined for an address of anything else. Pure. */
export function readRunUri(uri: string): string | undefined {
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
