import type { VectorQuery } from '../../memory/search';
import type { SqliteDatabase } from '../database';
import { keyToBytes } from '../key-bytes';
import { nearestCodes } from './nearest-codes';
import type { CodeFilter, PackedCodes } from './nearest-codes';
import { kindNumber } from './rows';
import { signCode } from './sign-code';

/** The first pass of a vector search: reads the codes of all that a user has of a kind. */
export class CoarseSearch {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** The keys of at most `limit` memories of a user that are nearest by their codes, in no order. */
  nearest(query: VectorQuery, owner: number, limit: number): number[] {
    const filter = this.#codeFilter(query, owner);
    const scope = { space: query.spaceId, owner, kind: kindNumber(query.kind) };
    const inScope = 'FROM code_chunks WHERE space = @space AND owner = @owner AND kind = @kind';
    const total = this.#database
      .prepare<[typeof scope], number>(`SELECT coalesce(sum(used), 0) ${inScope}`)
      .pluck()
      .get(scope) as number;
    const chunks = this.#database
      .prepare<[typeof scope], PackedCodes>(`SELECT used, slots ${inScope}`)
      .iterate(scope);
    return nearestCodes(chunks, { code: signCode(query.vector), filter, limit, total });
  }

  #codeFilter({ kind, filters = {} }: VectorQuery, owner: number): CodeFilter {
    const { sessionId, anyLabel, ...rest } = filters;
    const session = sessionId === undefined ? undefined : this.#sessionKey(owner, sessionId);
    if (anyLabel === undefined) return { ...rest, session };
    const labelled = this.#database
      .prepare<[number, number, string], number>(
        `SELECT memory FROM labels WHERE owner = ? AND kind = ?
           AND label IN (SELECT unhex(value) FROM json_each(?))`,
      )
      .pluck()
      .all(
        owner,
        kindNumber(kind),
        JSON.stringify(anyLabel.map((label) => keyToBytes(label).toString('hex'))),
      );
    return { ...rest, session, among: new Set(labelled) };
  }

  /** -1, which no memory is in, where there is no such session. */
  #sessionKey(owner: number, name: string): number {
    const key = this.#database
      .prepare<[number, Buffer], number>('SELECT key FROM sessions WHERE owner = ? AND name = ?')
      .pluck()
      .get(owner, keyToBytes(name));
    return key ?? -1;
  }
}
