import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Driver, QueryResult, Session, Transaction } from 'neo4j-driver';
import type { HoldfastError } from '../../base/errors';
import { isTransient, toStoreError } from './errors';
import type * as Opening from './open-driver';
import type { Neo4jSettings } from './settings';
import { Semaphore } from '../../base/async/semaphore';
import { withinTime, untilAborted, backOffMs } from '../../base/async/time-limit';
import { storeClosed, storeUnavailable } from '../until-available';

export type Row = Readonly<Record<string, unknown>>;

/** The statements of one transaction. */
export interface Statements {
  /** Runs a statement. Statements that the caller does not await one by one are sent together and run in order. */
  run(cypher: string, parameters?: Readonly<Record<string, unknown>>): Promise<Row[]>;
}

/** The result of a transaction, and whether to commit its changes. */
export interface Outcome<T> {
  readonly commit: boolean;
  readonly value: T;
}

const DEFAULT_OPERATION_LIMIT_MS = 5_000;

const MAX_PAUSE_MS = 50;
/** How long after its time limit the server may take to end a transaction; it checks limits every two seconds. */
const MAX_SILENCE_MS = 5_000;
/** The maximum of concurrent transactions. Each has a connection, and a burst that opens many at once is expensive. */
const MAX_CONCURRENT = 24;

/**
 * Transactions on a Neo4j server by one driver, which connects when it is first used and again after it lost a connection.
 *
 * In a cluster, all transactions go to the member that takes writes, also those that only read, because the other members show
 * a write late.
 */
export class Neo4jConnection {
  readonly uri: string;
  readonly #settings: Neo4jSettings;
  readonly #openDriver: typeof Opening.openDriver;
  readonly #operationLimitMs: number;
  readonly #operations = new Semaphore(MAX_CONCURRENT);
  #driver: Driver | undefined;
  readonly #closing = new AbortController();

  constructor(settings: Neo4jSettings) {
    this.uri = settings.uri;
    this.#settings = settings;
    this.#openDriver = loadDriver();
    this.#operationLimitMs = settings.operationLimitMs ?? DEFAULT_OPERATION_LIMIT_MS;
    // Each operation in progress listens, and above ten Node.js would write a warning of a leak.
    setMaxListeners(0, this.#closing.signal);
  }

  /**
   * Runs `work` in one transaction, and again from its start if the server rolled it back because of another transaction.
   *
   * Throws `STORE_UNAVAILABLE` if the server cannot be reached, is busy for longer than `limitMs` (default: the
   * settings'), or the connection was lost: the server may then have committed a write or not. Throws `CONFIGURATION` if the
   * server refuses a setting, and whatever `work` throws.
   */
  async transact<T>(
    work: (statements: Statements) => Promise<Outcome<T>>,
    limitMs = this.#operationLimitMs,
  ): Promise<T> {
    return this.#retry((deadline) => this.#runTransaction(work, deadline), limitMs);
  }

  /**
   * Runs one statement that only reads, in one round trip and without a lock. Each property has the value that was committed
   * last, but one property may come from before a commit and another from after it. Throws what `transact` throws.
   */
  async read(
    cypher: string,
    parameters: Readonly<Record<string, unknown>> = {},
    limitMs = this.#operationLimitMs,
  ): Promise<Row[]> {
    return this.#retry(
      (deadline) =>
        this.#inSession(deadline, async (session, timeout) =>
          toRows(await session.run(cypher, parameters, { timeout })),
        ),
      limitMs,
    );
  }

  /** Ends what is in progress with the error of a closed store. May be called twice. */
  async close(): Promise<void> {
    this.#closing.abort(storeClosed());
    const driver = this.#driver;
    this.#driver = undefined;
    await driver?.close();
  }

  async #retry<T>(attempt: (deadline: number) => Promise<T>, limitMs: number): Promise<T> {
    const deadline = performance.now() + limitMs;
    for (let tries = 1; ; tries += 1) {
      try {
        // Without a limit, a server that accepts connections and never answers would block an operation until TCP gives up.
        return await withinTime(
          // An operation may still wait for its place when the connection is closed.
          untilAborted(
            this.#operations.run(() => this.#unlessSilent(attempt, deadline)),
            this.#closing.signal,
          ),
          deadline - performance.now(),
          () => {
            throw this.#timeoutError();
          },
        );
      } catch (error) {
        const waitMs = backOffMs(tries, MAX_PAUSE_MS);
        if (!isTransient(error) || performance.now() + waitMs >= deadline) throw this.#toError(error);
        await pause(waitMs);
      }
    }
  }

  /**
   * Ends an attempt to which the server has not answered long after its own time limit, and gives up the driver with all its
   * connections. A network that has lost them, such as a restarted load balancer, may say nothing for minutes while new connections
   * work; meanwhile the attempts would take the places of all other operations.
   */
  #unlessSilent<T>(attempt: (deadline: number) => Promise<T>, deadline: number): Promise<T> {
    const driver = this.#open();
    return withinTime(
      // The driver never answers an operation that is in progress when it is closed.
      untilAborted(attempt(deadline), this.#closing.signal),
      deadline - performance.now() + MAX_SILENCE_MS,
      () => {
        if (this.#driver === driver) this.#driver = undefined;
        // This may never resolve, because the driver waits for the answer to its goodbye.
        driver.close().catch(() => undefined);
        throw this.#timeoutError();
      },
    );
  }

  #runTransaction<T>(work: (statements: Statements) => Promise<Outcome<T>>, deadline: number): Promise<T> {
    return this.#inSession(deadline, async (session, timeout) => {
      const transaction = session.beginTransaction({ timeout });
      const { commit, value } = await work(toStatements(transaction));
      if (!commit) await transaction.rollback();
      // After the deadline the caller already has an error, and may have written something else since.
      else if (performance.now() >= deadline) throw this.#timeoutError();
      else await transaction.commit();
      return value;
    });
  }

  async #inSession<T>(
    deadline: number,
    work: (session: Session, timeoutMs: number) => Promise<T>,
  ): Promise<T> {
    if (performance.now() >= deadline) throw this.#timeoutError();
    const { database } = this.#settings;
    const session = this.#open().session({ defaultAccessMode: 'WRITE', database });
    try {
      // The server has the same limit, so that no other process waits for the locks of a client that hangs.
      return await work(session, Math.max(1, Math.ceil(deadline - performance.now())));
    } finally {
      // Closing the session rolls back an open transaction. On a broken connection it fails too, after the error that counts.
      await session.close().catch(() => undefined);
    }
  }

  #open(): Driver {
    if (this.#closing.signal.aborted) throw storeClosed();
    this.#driver ??= this.#openDriver(this.#settings);
    return this.#driver;
  }

  #timeoutError(): HoldfastError {
    return storeUnavailable('The data store does not answer', this.uri, new Error('no answer in time'));
  }

  #toError(error: unknown): unknown {
    return this.#closing.signal.aborted ? storeClosed() : toStoreError(error, this.uri);
  }
}

/**
 * Loads the driver, which takes a while, so only processes that have such a server load it. They do so before the first
 * operation, because that has a time limit.
 */
function loadDriver(): typeof Opening.openDriver {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return (require('./open-driver') as typeof Opening).openDriver;
}

function toStatements(transaction: Transaction): Statements {
  return {
    run: async (cypher, parameters = {}) => toRows(await transaction.run(cypher, parameters)),
  };
}

function toRows({ records }: QueryResult): Row[] {
  return records.map((record) => record.toObject() as Row);
}
