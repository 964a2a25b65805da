import { setTimeout as delay } from 'node:timers/promises';
import { withinTime } from '../../base/async/time-limit';
import { HoldfastError, messageOf } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { KnownFormerStore } from './former-stores';
import { DEAD_AFTER_MS, type LivingProcesses, type ProcessState } from './living-processes';
import { effectiveSettings, type StoreChange, type StoreRecord, type StoreRecords } from './record';

export interface StoreChangesPorts {
  readonly records: StoreRecords;
  readonly processes: LivingProcesses;
  readonly newId: () => string;
  /** A clock that never goes back, milliseconds. */
  readonly now: () => number;
  /** The pause between two reads of the record, milliseconds. */
  readonly everyMs: number;
  /** Whether no write of this process is running. */
  readonly isIdle: () => boolean;
  /** Lists the former stores after a change. Called when no process writes to the stores of `before`. Throws nothing. */
  readonly formerAfter: (before: StoreRecord, next: StoreChange) => Promise<readonly KnownFormerStore[]>;
  /** Has this process use the stores of the record from now on. Throws nothing. */
  readonly switchTo: (record: StoreRecord) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Changes which stores all processes use, so that no two processes ever write to different ones (decision 88). A change is first
 * the record's `next`: each process that sees it refuses writes, and acknowledges it when its running writes have ended. When all
 * living processes have acknowledged it, it becomes the record. The process that was asked for it sees to that, and any other
 * process if that one dies. A process may write only while the others know that it lives.
 */
export interface StoreChanges {
  /** The record as this process has last read it. @throws HoldfastError `STORE_UNAVAILABLE` if it could not be read yet */
  record(): Promise<StoreRecord>;
  /** Reads the record now, in the round after those that are under way. Throws as `record`. */
  readNow(): Promise<StoreRecord>;
  /** Whether this process may write to the stores of the record that it knows. */
  mayWrite(): boolean;
  /** Reads the record when no change is under way. Throws as `record`, and the signal's reason. */
  settled(signal: AbortSignal): Promise<StoreRecord>;
  /** Writes a record that names the same stores. @returns false if the record is no longer of this version. Throws as `record` */
  note(record: StoreRecord): Promise<boolean>;
  /**
   * Changes the stores, and resolves when every living process uses the new ones.
   * @returns false, without a change, if the record is no longer `before`
   * @throws HoldfastError `STORE_UNAVAILABLE` (retryable) if a process did not end its writes; the signal's reason, after which
   * the change continues
   */
  change(before: StoreRecord, after: StoreChange['initializations'], signal: AbortSignal): Promise<boolean>;
  /** Ends the rounds. Throws nothing. */
  stop(): Promise<void>;
  /** This process writes no more, and the others do not wait for it. Throws nothing. */
  leave(): Promise<void>;
}

const BEAT_EVERY_MS = 10_000;
/** A process without a word of its own for this time refuses writes, so that those that run end before it counts as dead. */
const MAY_WRITE_MS = DEAD_AFTER_MS - 10_000;
/** A change that some living process does not acknowledge within this time is given up. */
const GIVEN_UP_AFTER_MS = 120_000;
/** The pause between two rounds of a process that waits for a change, milliseconds. */
const LOOK_EVERY_MS = 50;
/** How long a change that was made waits for the other processes to use its stores; milliseconds. */
const USED_WITHIN_MS = 10_000;
/** If the store does not answer, a process that ends does not wait for longer, and counts as dead later; milliseconds. */
const STOP_WITHIN_MS = 500;

export function createStoreChanges(ports: StoreChangesPorts): StoreChanges {
  const { records, processes, newId, now, everyMs, isIdle, formerAfter, switchTo, logger } = ports;
  let known: StoreRecord | undefined;
  let state: ProcessState = { version: -1 };
  /** Whether the others know of this process by its id. */
  let isHeard = false;
  let mayWriteUntil = -Infinity;
  let nextBeat = -Infinity;
  let seen: { readonly id: string; readonly at: number } | undefined;
  let running: Promise<StoreRecord> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let hasSpoken = false;

  async function say(more: Partial<ProcessState>): Promise<void> {
    // A round that ends late would bring back the document of a process that has left.
    if (isStopped) return;
    const nextState = { ...state, ...more };
    hasSpoken = true;
    await processes.beat(nextState);
    state = nextState;
  }

  /** A process that was silent for too long begins anew, under another id. */
  function checkHeard(reason?: string): void {
    if (!isHeard || now() < mayWriteUntil) return;
    isHeard = false;
    processes.rename();
    logger.warn({ reason }, 'memories were not written until the record of their stores could be read again');
  }

  /** Says that this process lives, reads the record, and does its part of a change. One round runs at a time. */
  function round(): Promise<StoreRecord> {
    return (running ??= doRound().finally(() => (running = undefined)));
  }

  async function doRound(): Promise<StoreRecord> {
    const began = now();
    checkHeard();
    const isBeat = began >= nextBeat;
    if (isBeat) await say({});
    const record = await follow(await records.read());
    if (!isBeat) return record;
    // The record was read after the word, so a change that began in between waits for this process.
    isHeard = true;
    mayWriteUntil = began + MAY_WRITE_MS;
    nextBeat = began + BEAT_EVERY_MS;
    await processes.list();
    return record;
  }

  /** @returns the latest record */
  async function follow(record: StoreRecord): Promise<StoreRecord> {
    known = record;
    if (record.next !== undefined) return acknowledge(record, record.next);
    seen = undefined;
    if (record.version !== state.version) {
      await switchTo(record);
      await say({ version: record.version });
    }
    return record;
  }

  async function acknowledge(record: StoreRecord, next: StoreChange): Promise<StoreRecord> {
    if (seen?.id !== next.id) seen = { id: next.id, at: now() };
    if (state.acknowledged !== next.id && isIdle()) await say({ acknowledged: next.id });
    const living = await processes.list();
    // A process with another SECRETS_KEY completes only its own change, because the former stores that it cannot read are lost then.
    const isMine = next.by === processes.id() || (!living.has(next.by) && record.unreadable === undefined);
    if (isMine && [...living.values()].every(({ acknowledged }) => acknowledged === next.id)) {
      const former = await formerAfter(record, next);
      await records.write({ version: record.version, initializations: next.initializations, former });
    } else if (now() - seen.at > GIVEN_UP_AFTER_MS) {
      logger.warn(
        'a change of the stores of memories is given up, because some process did not end its writes',
      );
      await records.write({ ...record, next: undefined });
    } else return record;
    return follow(await records.read());
  }

  function schedule(): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      void round()
        .catch((error: unknown) => checkHeard(messageOf(error)))
        .finally(schedule);
    }, everyMs).unref();
  }

  async function readNow(): Promise<StoreRecord> {
    // A round that is under way may have read the record before the caller asked.
    await running?.catch(() => undefined);
    if (timer === undefined) schedule();
    return round();
  }

  /** Makes rounds until a record fits. */
  async function untilRound(
    fits: (record: StoreRecord) => boolean | Promise<boolean>,
    signal: AbortSignal,
  ): Promise<StoreRecord> {
    for (;;) {
      const record = await readNow();
      if (await fits(record)) return record;
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  /** A process that is slow to read the record writes nothing meanwhile, so it need not be waited for. */
  async function untilUsed(version: number, signal: AbortSignal): Promise<void> {
    const end = now() + USED_WITHIN_MS;
    await untilRound(async () => {
      const living = [...(await processes.list()).values()];
      return now() > end || living.every((each) => each.version >= version);
    }, signal);
  }

  return {
    record: async () => known ?? readNow(),
    readNow,
    mayWrite: () => known !== undefined && known.next === undefined && now() < mayWriteUntil,
    settled: (signal) => untilRound(({ next }) => next === undefined, signal),
    async note(record) {
      const isWritten = await records.write(record);
      await readNow();
      return isWritten;
    },
    async change(before, initializations, signal) {
      const next = { id: newId(), by: processes.id(), initializations };
      if (!(await records.write({ ...before, next }))) return false;
      const after = await untilRound((record) => record.next?.id !== next.id, signal);
      const [wanted, made] = [next, after].map((each) => JSON.stringify(effectiveSettings(each)));
      if (wanted !== made) throw notMade();
      await untilUsed(after.version, signal);
      return true;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      if (running !== undefined) await withinTime(running, STOP_WITHIN_MS).catch(() => undefined);
    },
    async leave() {
      mayWriteUntil = -Infinity;
      if (hasSpoken) await withinTime(processes.leave(), STOP_WITHIN_MS).catch(() => undefined);
    },
  };
}

function notMade(): HoldfastError {
  const reason =
    'a process of the service did not end its writes of memories, or other stores were named at once';
  return new HoldfastError('STORE_UNAVAILABLE', `The stores of memories were not changed: ${reason}`, {
    retryable: true,
    details: { service: 'graphdb', reason },
  });
}
