import { setTimeout as delay } from 'node:timers/promises';
import { isHoldfastError } from '../../src/base/errors';
import type { Engine } from '../engine';
import { serverClock } from '../server-clock';
import {
  findRun,
  type LocatedRun,
  locateRun,
  type LookupScope,
  type RunLookup,
  type RunRecord,
  type RunReference,
} from './run-lookup';

/** The server's index shows a new run within about a second. */
const YOUNG_MS = 5_000;
const FOUND_WITHIN_MS = 2_000;
const LOOK_AGAIN_MS = 100;

/**
 * Looks up a run, and repeats that for up to 2 s if its id is younger than 5 s, because the server's index may not
 * show the run yet.
 * @throws HoldfastError as `findRun` does
 */
export function findYoungRun(engine: Engine, scope: RunLookup, reference: RunReference): Promise<RunRecord> {
  return untilListed(reference, () => findRun(engine, scope, reference));
}

/** As `findYoungRun`, without the result of the run. */
export function locateYoungRun(
  engine: Engine,
  scope: LookupScope,
  reference: RunReference,
): Promise<LocatedRun> {
  return untilListed(reference, () => locateRun(engine, scope, reference));
}

async function untilListed<T>(reference: RunReference, find: () => Promise<T>): Promise<T> {
  const until = Date.now() + FOUND_WITHIN_MS;
  for (;;) {
    try {
      return await find();
    } catch (error) {
      const mayBeUnlisted = reference.workflowId === undefined && isYoung(reference.traceId ?? '');
      const isUnknown = isHoldfastError(error) && error.code === 'RUN_NOT_FOUND';
      if (!isUnknown || !mayBeUnlisted || Date.now() >= until) throw error;
      await delay(LOOK_AGAIN_MS);
    }
  }
}

/** Whether a run id, a UUID of version 7, was created in the last seconds. False for ids of other versions. */
function isYoung(runId: string): boolean {
  const time = timeOfRunId(runId);
  return time !== undefined && Math.abs(serverClock.now() - time) < YOUNG_MS;
}

/** The time of a run id, a UUID of version 7 (RFC 9562), epoch milliseconds; undefined for ids of other versions. Pure. */
export function timeOfRunId(runId: string): number | undefined {
  const [high = '', low = '', version = ''] = runId.split('-');
  return version.startsWith('7') ? Number.parseInt(high + low, 16) : undefined;
}
