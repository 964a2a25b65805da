import type { Statement } from 'better-sqlite3';
import type { SqliteDatabase } from '../database';
import type { MemoryRow } from './rows';
import { signCode } from './sign-code';

/** The fields of a memory that are stored with its code. */
export type CodeOwner = Pick<MemoryRow, 'key' | 'owner' | 'kind' | 'session' | 'timestamp' | 'weight'>;

type CodeKey = Pick<MemoryRow, 'key' | 'owner' | 'kind'> & { readonly space: number };

interface CodedVector {
  readonly space: number;
  /** The key of the row that has the full vector. */
  readonly vector: number | bigint;
  readonly values: Float32Array;
}

const THIS_CODE = 'space = @space AND owner = @owner AND kind = @kind AND memory = @key';

/** The codes of vectors, which the coarse pass of a search reads. The caller runs all methods in the transaction of a change. */
export class Codes {
  readonly #insert: Statement<
    [CodeOwner & CodeKey & Pick<CodedVector, 'vector'> & { readonly code: Buffer }]
  >;
  readonly #remove: Statement<[CodeKey]>;
  readonly #setWeight: Statement<[CodeKey & { readonly weight: number }]>;

  constructor(database: SqliteDatabase) {
    this.#insert = database.prepare(
      `INSERT INTO codes (space, owner, kind, memory, vector, session, timestamp, weight, code)
         VALUES (@space, @owner, @kind, @key, @vector, @session, @timestamp, @weight, @code)`,
    );
    this.#remove = database.prepare(`DELETE FROM codes WHERE ${THIS_CODE}`);
    this.#setWeight = database.prepare(`UPDATE codes SET weight = @weight WHERE ${THIS_CODE}`);
  }

  add(memory: CodeOwner, { space, vector, values }: CodedVector): void {
    this.#insert.run({ ...memory, space, vector, code: signCode(values) });
  }

  remove(memory: CodeOwner, space: number): void {
    this.#remove.run({ ...memory, space });
  }

  setWeight(memory: CodeOwner, space: number, weight: number): void {
    this.#setWeight.run({ ...memory, space, weight });
  }
}
