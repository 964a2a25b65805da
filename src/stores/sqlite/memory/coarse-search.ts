import type { VectorQuery } from '../../memory/search';
import type { SqliteDatabase } from '../database';
import { buildScopeQuery, type Parameters } from './filters';
import { signCode } from './sign-code';

/** The first pass of a vector search. It reads the codes of all memories that a user has of a kind. */
export class CoarseSearch {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /**
   * Finds the keys of at most `limit` vectors: those whose codes differ from the query's in the fewest bits. Vectors with the
   * same number of different bits are in the order of the keys of their memories.
   *
   * This is a separate statement, because as a part of a larger one SQLite would convert the query's code again for every row.
   */
  nearest(query: VectorQuery, limit: number): number[] {
    const { condition, parameters } = buildScopeQuery(query, 'codes');
    return this.#database
      .prepare<[Parameters], number>(
        `SELECT vector FROM codes WHERE space = @space AND ${condition}
           ORDER BY vec_distance_hamming(vec_bit(code), vec_bit(@code)), memory LIMIT @limit`,
      )
      .pluck()
      .all({ ...parameters, space: query.spaceId, code: signCode(query.vector), limit });
  }
}
