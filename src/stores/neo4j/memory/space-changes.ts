import type { VectorSpace } from '../../memory/vector-spaces';
import type { Neo4jDatabase } from '../database';
import { KIND_LABELS } from './rows';
import { createIndexes, dropIndexes, lockSpaces, readSpaces, vectorProperties, writeSpaces } from './spaces';
import type { SpacesState } from './spaces';
import { lockAllUsers } from './users';
import { removeFromSome } from './vectors';

/** An index is made over what is there, and a switch looks at every memory. */
const LIMIT_MS = 60_000;
/** Memories whose vectors of a dropped space are taken away in one transaction. */
const CLEARING_STEP = 500;

/** Opening vector spaces, moving from one to the next, and taking away what dropped ones left. */
export class SpaceChanges {
  readonly #database: Neo4jDatabase;
  #clearing = false;

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
      const { next: former } = state;
      if (former?.model === model && former.dimensions === dimensions) return { value: former };
      const space = await this.#open(state, model, dimensions);
      const dropped = former === null ? state.dropped : [...state.dropped, former.id];
      if (former !== null) await lockWriters();
      return { value: space, state: { ...state, next: space, lastId: space.id, dropped } };
    });
    this.#clearDropped();
    return next;
  }

  /** @returns whether this is the current one now */
  async switchTo(id: number): Promise<boolean> {
    const isCurrent = await this.#change(async (state, lockWriters, isComplete) => {
      if (state.current?.id === id) return { value: true };
      if (state.next?.id !== id) return { value: false };
      // Seen without waiting for anybody at first, as this is asked for until it is so.
      if (!(await isComplete(id))) return { value: false };
      await lockWriters();
      if (!(await isComplete(id))) return { value: false };
      const dropped = state.current === null ? state.dropped : [...state.dropped, state.current.id];
      return { value: true, state: { ...state, current: state.next, next: null, dropped } };
    });
    this.#clearDropped();
    return isCurrent;
  }

  #read(): Promise<SpacesState> {
    return this.#database.transact(async (statements) => ({
      commit: false,
      value: await readSpaces(statements),
    }));
  }

  /** Nobody else changes the spaces meanwhile. What has no new state changes nothing. */
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

  /** Makes the indexes first, so that no vector comes before them; without the space they are of no use to anybody. */
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
   * Takes away what dropped spaces left, behind all that is asked meanwhile. What an end of the process leaves, the
   * next space that is opened or switched to takes along.
   */
  #clearDropped(): void {
    if (this.#clearing) return;
    this.#clearing = true;
    void this.#clear()
      .catch(() => undefined)
      .finally(() => {
        this.#clearing = false;
      });
  }

  async #clear(): Promise<void> {
    const { dropped } = await this.#read();
    if (dropped.length === 0) return;
    for (const statement of dropped.flatMap(dropIndexes)) await this.#changeSchema(statement);
    for (let after: string | undefined = ''; after !== undefined;) {
      after = await this.#clearSome(dropped, after);
    }
    await this.#change((state) => {
      const left = state.dropped.filter((id) => !dropped.includes(id));
      return Promise.resolve({ value: undefined, state: { ...state, dropped: left } });
    });
  }

  #clearSome(dropped: readonly number[], after: string): Promise<string | undefined> {
    return this.#database.transact(async (statements) => ({
      commit: true,
      value: await removeFromSome(statements, dropped, after, CLEARING_STEP),
    }));
  }
}
