import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { readCpuMs } from '../scale/cpu';
import { startService } from '../service';
import { readHistoryBytes, readServerPid } from '../service-figures';

/** What the removal of runs whose retention is over costs. */
export interface RetentionCost {
  /** The number of removed runs, and of those that stayed. */
  readonly runs: number;
  readonly left: number;
  /** Time from the first removal to the last, s. */
  readonly seconds: number;
  /** CPU time of the Temporal server for one removal, ms, without what the idle server needs. */
  readonly serverCpu: number;
  /** How much one removal freed in the server's database, bytes. */
  readonly bytes: number;
}

/** The number of runs that are removed. */
const MAX_REMOVED = 2_000;
/**
 * How many runs become due in a second. When 10,500 were due at the same moment, the server's SQLite driver stopped
 * for good after 7,300 of them ("interrupted (9)").
 */
const DUE_A_SECOND = 50;
/** Longer than the service needs to start and to become idle. */
const DUE_IN_MS = 15_000;
const IDLE_MS = 5_000;
/** Retention is a day or more; all other timers of ended runs are due earlier. */
const MIN_RETENTION_MS = 20 * 3_600_000;
const POLL_MS = 250;
const LIMIT_MS = 300_000;

/**
 * Measures a pass of retention over a database whose service is stopped. The Temporal server removes each run by a
 * timer that it sets when the run ends, a day later at the earliest. The bench moves the timers of some runs to the
 * time after the next start.
 */
export async function measureRetention(dataDir: string): Promise<RetentionCost> {
  const path = join(dataDir, 'temporal.db');
  const dueAt = Date.now() + DUE_IN_MS;
  const runs = moveTimers(path, dueAt);
  const service = await startService(dataDir);
  try {
    const serverPid = readServerPid(dataDir);
    await delay(Math.max(0, dueAt - Date.now() - 2 * POLL_MS));
    const left = countRuns(path) - runs;
    const bytesBefore = readHistoryBytes(dataDir);
    const before = readCpuMs([serverPid]);
    const ended = await waitForRemoval(path, left);
    const used = readCpuMs([serverPid]) - before;
    const bytes = (bytesBefore - readHistoryBytes(dataDir)) / runs;
    const idle = await measureIdleShare(serverPid);
    const serverCpu = (used - idle * (ended - dueAt)) / runs;
    return { runs, left, seconds: (ended - dueAt) / 1_000, serverCpu, bytes };
  } finally {
    await service.stop();
  }
}

/** Measures the share of a core that the idle server uses, 0 to 1. */
async function measureIdleShare(serverPid: number): Promise<number> {
  await delay(IDLE_MS);
  const before = readCpuMs([serverPid]);
  await delay(IDLE_MS);
  return (readCpuMs([serverPid]) - before) / IDLE_MS;
}

/** Moves the timers of the oldest runs to the time from `dueAt` on. @returns the number of moved timers */
function moveTimers(path: string, dueAt: number): number {
  const database = new Database(path);
  try {
    const id = database.prepare(`SELECT id FROM namespaces WHERE name = 'default'`).pluck().get() as Buffer;
    // A timer contains the id of its namespace as text; the server's own namespace has timers too.
    const namespace = Buffer.from(id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
    const timers = database
      .prepare(
        `SELECT rowid FROM timer_tasks WHERE visibility_timestamp > :from AND instr(data, :namespace) > 0
         ORDER BY task_id LIMIT :limit`,
      )
      .pluck()
      .all({ from: toServerTime(Date.now() + MIN_RETENTION_MS), namespace, limit: MAX_REMOVED });
    const move = database.prepare('UPDATE timer_tasks SET visibility_timestamp = ? WHERE rowid = ?');
    database.transaction(() => {
      for (const [at, rowid] of timers.entries()) {
        move.run(toServerTime(dueAt + Math.floor(at / DUE_A_SECOND) * 1_000), rowid);
      }
    })();
    return timers.length;
  } finally {
    database.close();
  }
}

/** The text form in which the server stores times in SQLite. */
function toServerTime(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '+00:00');
}

/** A run that is being removed is in the list of runs longer than its history is stored, or the other way round. */
const COUNT_RUNS =
  'SELECT max((SELECT count(*) FROM executions), (SELECT count(*) FROM executions_visibility))';

function countRuns(path: string): number {
  const database = new Database(path, { readonly: true, timeout: 10_000 });
  try {
    return database.prepare(COUNT_RUNS).pluck().get() as number;
  } finally {
    database.close();
  }
}

/** Waits until at most `left` runs are in the database. @returns the time, ms since the epoch */
async function waitForRemoval(path: string, left: number): Promise<number> {
  const limit = Date.now() + LIMIT_MS;
  while (countRuns(path) > left) {
    if (Date.now() > limit)
      throw new Error(`some runs were not removed within ${LIMIT_MS} ms after the end of their retention`);
    await delay(POLL_MS);
  }
  return Date.now();
}
