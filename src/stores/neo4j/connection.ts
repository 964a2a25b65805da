import { setTimeout as pause } from 'node:timers/promises';
import neo4j from 'neo4j-driver';
import type { Driver, QueryResult, Session, Transaction } from 'neo4j-driver';
import type { HoldfastError } from '../../base/errors';
import { storeClosed, storeUnavailable } from '../unavailable';
import { isWorthAnotherTry, toStoreError } from './errors';
import { openJudgedDriver } from './judged-driver';
import type { Neo4jSettings } from './settings';
import { backOffMs } from '../../base/async/back-off';
import { Semaphore } from '../../base/async/semaphore';
import { withinTime } from '../../base/async/within-time';

export type Row = Readonly<Record<string, unknown>>;

/** The statements of one transaction. */
export interface Statements {
  /** Runs a statement. Those not awaited go out together and run in order. */
  run(cypher: string, parameters?: Readonly<Record<string, unknown>>): Promise<Row[]>;
}

/** What a transaction came to, and whether what it changed is to stay. */
export interface Outcome<T> {
  readonly commit: boolean;
  readonly value: T;
}

const DEFAULT_OPERATION_LIMIT_MS = 5_000;

/** Together below 2 s, so that a server that is gone is told soon. */
const CONNECT_LIMIT_MS = 1_500;
const POOL_LIMIT_MS = 1_900;
/** A connection that was idle for longer is tried before it is used: the server may have gone meanwhile. */
const TRUSTED_IDLE_MS = 10_000;
const MAX_PAUSE_MS = 50;
/** Transactions under way; each has a connection, and new ones are dear where a burst asks for all of them at once. */
const AT_ONCE = 24;

/**
 * Transactions on a Neo4j server by one driver, which connects when it is first used and again after a loss.
 *
 * All of them go to the member that takes writes, reads too: on the others a write is seen late.
 */
export class Neo4jConnection {
  readonly uri: string;
  readonly #settings: Neo4jSettings;
  readonly #operationLimitMs: number;
  readonly #operations = new Semaphore(AT_ONCE);
  #driver: Driver | undefined;
  #closed = false;

  constructor(settings: Neo4jSettings) {
    this.uri = settings.uri;
    this.#settings = settings;
    this.#operationLimitMs = settings.operationLimitMs ?? DEFAULT_OPERATION_LIMIT_MS;
  }

  /**
   * Runs `work` in one transaction, again from its start where the server took it back for another's sake.
   *
   * Throws `STORE_UNAVAILABLE` where the server cannot be reached, is busy for longer than `limitMs` (default: the
   * settings'), or was lost: a write may then have been kept or not. Throws `CONFIGURATION` where the server refuses
   * a setting, and whatever `work` throws.
   */
  async transact<T>(
    work: (statements: Statements) => Promise<Outcome<T>>,
    limitMs = this.#operationLimitMs,
  ): Promise<T> {
    return this.#untilDone((deadline) => this.#attempt(work, deadline), limitMs);
  }

  /**
   * Runs one statement that only reads, in one round trip and without a lock: each property is as it was committed last,
   * and two of them may come from before and after the same commit. Throws as `transact` does.
   */
  async read(
    cypher: string,
    parameters: Readonly<Record<string, unknown>> = {},
    limitMs = this.#operationLimitMs,
  ): Promise<Row[]> {
    return this.#untilDone(
      (deadline) =>
        this.#inSession(deadline, async (session, timeout) =>
          toRows(await session.run(cypher, parameters, { timeout })),
        ),
      limitMs,
    );
  }

  /** May be called twice. */
  async close(): Promise<void> {
    this.#closed = true;
    const driver = this.#driver;
    this.#driver = undefined;
    await driver?.close();
  }

  async #untilDone<T>(attempt: (deadline: number) => Promise<T>, limitMs: number): Promise<T> {
    const deadline = performance.now() + limitMs;
    for (let tries = 1; ; tries += 1) {
      try {
        // A server that accepts connections and answers nothing would hold an operation for as long as TCP hopes.
        return await withinTime(
          this.#operations.run(() => attempt(deadline)),
          deadline - performance.now(),
          () => {
            throw this.#tooLate();
          },
        );
      } catch (error) {
        const waitMs = backOffMs(tries, MAX_PAUSE_MS);
        if (!isWorthAnotherTry(error) || performance.now() + waitMs >= deadline) throw this.#failed(error);
        await pause(waitMs);
      }
    }
  }

  #attempt<T>(work: (statements: Statements) => Promise<Outcome<T>>, deadline: number): Promise<T> {
    return this.#inSession(deadline, async (session, timeout) => {
      const transaction = session.beginTransaction({ timeout });
      const { commit, value } = await work(statementsOf(transaction));
      if (!commit) await transaction.rollback();
      // The caller has got an error meanwhile, and may have written something else since.
      else if (performance.now() >= deadline) throw this.#tooLate();
      else await transaction.commit();
      return value;
    });
  }

  async #inSession<T>(
    deadline: number,
    work: (session: Session, timeoutMs: number) => Promise<T>,
  ): Promise<T> {
    if (performance.now() >= deadline) throw this.#tooLate();
    const { database } = this.#settings;
    const session = this.#open().session({
      defaultAccessMode: neo4j.session.WRITE,
      ...(database === undefined ? {} : { database }),
    });
    try {
      // The server, too, ends what takes too long, so that no other process waits for the locks of a client that hangs.
      return await work(session, Math.max(1, Math.ceil(deadline - performance.now())));
    } finally {
      // Ends a transaction that is open still. On a broken connection it fails too, after the error that counts.
      await session.close().catch(() => undefined);
    }
  }

  #open(): Driver {
    if (this.#closed) throw storeClosed();
    this.#driver ??= openDriver(this.#settings);
    return this.#driver;
  }

  #tooLate(): HoldfastError {
    return storeUnavailable('The data store does not answer', this.uri, new Error('no answer in time'));
  }

  #failed(error: unknown): unknown {
    return this.#closed ? storeClosed() : toStoreError(error, this.uri);
  }
}

function openDriver({ uri, username, password, egress }: Neo4jSettings): Driver {
  const options = {
    disableLosslessIntegers: true,
    connectionTimeout: CONNECT_LIMIT_MS,
    connectionAcquisitionTimeout: POOL_LIMIT_MS,
    connectionLivenessCheckTimeout: TRUSTED_IDLE_MS,
    telemetryDisabled: true,
  };
  return egress === undefined
    ? neo4j.driver(uri, neo4j.auth.basic(username, password), options)
    : openJudgedDriver({ uri, username, password, egress }, options);
}

function statementsOf(transaction: Transaction): Statements {
  return {
    run: async (cypher, parameters = {}) => toRows(await transaction.run(cypher, parameters)),
  };
}

function toRows({ records }: QueryResult): Row[] {
  return records.map((record) => record.toObject() as Row);
}
