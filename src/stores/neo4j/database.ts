import { isHoldfastError } from '../../base/errors';
import type { Outcome, Row, Statements } from './connection';
import type { Neo4jSettings } from './settings';
import { Neo4jConnection } from './connection';
import { migrate } from './migrate';
import { MIGRATIONS } from './migrations';

/** The service's Neo4j database, with its schema in place before anything is asked of it. */
export class Neo4jDatabase {
  readonly #connection: Neo4jConnection;
  #prepared: Promise<void> | undefined;

  constructor(settings: Neo4jSettings) {
    this.#connection = new Neo4jConnection(settings);
  }

  /** As `Neo4jConnection.transact`; throws `CONFIGURATION` too where newer code wrote the database. */
  transact<T>(work: (statements: Statements) => Promise<Outcome<T>>, limitMs?: number): Promise<T> {
    return this.#onceMigrated(() => this.#connection.transact(work, limitMs));
  }

  /** As `Neo4jConnection.read`; throws `CONFIGURATION` too where newer code wrote the database. */
  read(cypher: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<Row[]> {
    return this.#onceMigrated(() => this.#connection.read(cypher, parameters));
  }

  /** May be called twice. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  async #onceMigrated<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.#prepared ??= migrate(this.#connection, MIGRATIONS);
      await this.#prepared;
      return await work();
    } catch (error) {
      // A server that was away may come back with other data, so its schema is looked at again.
      if (isHoldfastError(error)) this.#prepared = undefined;
      throw error;
    }
  }
}
