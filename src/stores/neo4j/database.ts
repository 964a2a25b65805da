import { isHoldfastError } from '../../base/errors';
import type { Neo4jSettings } from './settings';
import { Neo4jConnection, type Outcome, type Row, type Statements } from './connection';
import { migrate } from './migrate';
import { MIGRATIONS } from './migrations';

/** The service's Neo4j database. The first operation migrates its schema. */
export class Neo4jDatabase {
  readonly #connection: Neo4jConnection;
  #migrated: Promise<void> | undefined;
  /** Whether this process has used the database, which newer code may migrate meanwhile. */
  #wasUsed = false;

  constructor(settings: Neo4jSettings) {
    this.#connection = new Neo4jConnection(settings);
  }

  /** Does what `Neo4jConnection.transact` does; also throws `CONFIGURATION` if newer code wrote the database. */
  transact<T>(work: (statements: Statements) => Promise<Outcome<T>>, limitMs?: number): Promise<T> {
    return this.#onceMigrated(() => this.#connection.transact(work, limitMs));
  }

  /** Does what `Neo4jConnection.read` does; also throws `CONFIGURATION` if newer code wrote the database. */
  read(cypher: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<Row[]> {
    return this.#onceMigrated(() => this.#connection.read(cypher, parameters));
  }

  /** May be called twice. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  async #onceMigrated<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.#migrated ??= migrate(this.#connection, MIGRATIONS, { mayBeNewer: this.#wasUsed });
      await this.#migrated;
      this.#wasUsed = true;
      return await work();
    } catch (error) {
      // A server that was down may come back with other data, so its schema is checked again.
      if (isHoldfastError(error)) this.#migrated = undefined;
      throw error;
    }
  }
}
