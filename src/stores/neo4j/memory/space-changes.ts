import type { VectorSpace } from '../../memory/vector-spaces';
import type { Neo4jDatabase } from '../database';
import { KIND_LABELS } from './rows';
import {
  createIndexes,
  dropIndexes,
  lockSpaces,
  readSpaces,
  type SpacesState,
  vectorProperties,
  writeSpaces,
} from './spaces';
import { lockAllUsers } from './users';
import { removeFromSome } from './vectors';

/** The limit is long because the server builds an index over all memories, and a switch checks every memory. */
const LIMIT_MS = 60_000;
/** The number of memories whose vectors of a dropped space are removed in one transaction. */
const CLEANUP_STEP = 500;

/** Opens vector spaces, switches from one to the next, and removes the vectors of dropped spaces. */
export class SpaceChanges {
  readonly #database: Neo4jDatabase;
  #isCleaning = false;

  constructor(database: Neo4jDatabase) {
    this.#database = database;
  }

  async pin(model: string, dimensions: number): Promise<VectorSpace> {
    const { current } = await this.#read();
    if (current !== null) return current;
    return this.#change(async (state) => {
      if (state.current !== null) return { value: state.current };
      const space = await this.#open(state, model, dimensions);
      return { value: space, state: { ...state, current: space, lastId: space.id } };
    });
  }

  async openNext(model: string, dimensions: number): Promise<VectorSpace> {
    const next = await this.#change(async (state, lockWriters) => {
      const { next: openSpace } = state;
      if (openSpace?.model === model && openSpace.dimensions === dimensions) return { value: openSpace };
      const space = await this.#open(state, model, dimensions);
      const dropped = openSpace === null ? state.dropped : [...state.dropped, openSpace.id];
      if (openSpace !== null) await lockWriters();
      return { value: space, state: { ...state, next: space, lastId: space.id, dropped } };
    });
    this.#startCleanup();
    return next;
  }

  /** @returns whether the space is the current one now */
  async switchTo(id: number): Promise<boolean> {
    const isCurrent = await this.#change(async (state, lockWriters, isComplete) => {
      if (state.current?.id === id) return { value: true };
      if (state.next?.id !== id) return { value: false };
      // The first check waits for no lock, because callers repeat the switch until it succeeds.
      if (!(await isComplete(id))) return { value: false };
      await lockWriters();
      if (!(await isComplete(id))) return { value: false };
      const dropped = state.current === null ? state.dropped : [...state.dropped, state.current.id];
      return { value: true, state: { ...state, current: state.next, next: null, dropped } };
    });
    this.#startCleanup();
    return isCurrent;
  }

  #read(): Promise<SpacesState> {
    return this.#database.transact(async (statements) => ({
      commit: false,
      value: await readSpaces(statements),
    }));
  }

  /** Runs `work` under the lock of the spaces, and commits if it returns a new state. */
  #change<T>(
    work: (
      state: SpacesState,
      lockWriters: () => Promise<void>,
      isComplete: (spaceId: number) => Promise<boolean>,
    ) => Promise<{ readonly value: T; readonly state?: SpacesState }>,
  ): Promise<T> {
    return this.#database.transact(async (statements) => {
      const isComplete = async (spaceId: number): Promise<boolean> => {
        const { has } = vectorProperties(spaceId);
        const lacking = await statements.run(
          `MATCH (memory:HoldfastMemory) WHERE memory.${has} IS NULL RETURN 1 LIMIT 1`,
        );
        return lacking.length === 0;
      };
      const { value, state } = await work(
        await lockSpaces(statements),
        () => lockAllUsers(statements),
        isComplete,
      );
      if (state !== undefined) await writeSpaces(statements, state);
      return { commit: state !== undefined, value };
    }, LIMIT_MS);
  }

  /** Creates the indexes of a space before the space itself, so that no vector is stored before they exist. */
  async #open({ lastId }: SpacesState, model: string, dimensions: number): Promise<VectorSpace> {
    const space = { id: lastId + 1, model, dimensions };
    for (const statement of [...dropIndexes(space.id), ...createIndexes(space, KIND_LABELS)]) {
      await this.#changeSchema(statement);
    }
    await this.#changeSchema('CALL db.awaitIndexes()');
    return space;
  }

  async #changeSchema(statement: string): Promise<void> {
    await this.#database.transact(async (statements) => {
      await statements.run(statement);
      return { commit: true, value: undefined };
    }, LIMIT_MS);
  }

  /**
   * Starts to remove the vectors of dropped spaces in the background. If the process ends before that is done, the next opening
   * or switch of a space removes the rest.
   */
  #startCleanup(): void {
    if (this.#isCleaning) return;
    this.#isCleaning = true;
    void this.#cleanUp()
      .catch(() => undefined)
      .finally(() => {
        this.#isCleaning = false;
      });
  }

  async #cleanUp(): Promise<void> {
    const { dropped } = await this.#read();
    if (dropped.length === 0) return;
    for (const statement of dropped.flatMap(dropIndexes)) await this.#changeSchema(statement);
    for (let after: string | undefined = ''; after !== undefined;) {
      after = await this.#removeSome(dropped, after);
    }
    await this.#change((state) => {
      const left = state.dropped.filter((id) => !dropped.includes(id));
      return Promise.resolve({ value: undefined, state: { ...state, dropped: left } });
    });
  }

  #removeSome(dropped: readonly number[], after: string): Promise<string | undefined> {
    return this.#database.transact(async (statements) => ({
      commit: true,
      value: await removeFromSome(statements, dropped, after, CLEANUP_STEP),
    }));
  }
}
