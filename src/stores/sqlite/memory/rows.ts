import type { Statement } from 'better-sqlite3';
import type { MemoryBody, MemoryKind, MemoryNode } from '../../memory/node';
import type { SqliteDatabase } from '../database';
import { keyFromBytes } from '../key-bytes';

/** The numbers by which the tables store the kinds of memories. */
export const EPISODIC = 0;
export const SEMANTIC = 1;

export function kindNumber(kind: MemoryKind): number {
  return kind === 'semantic' ? SEMANTIC : EPISODIC;
}

export function kindOf({ kind }: { readonly kind: number }): MemoryKind {
  return kind === SEMANTIC ? 'semantic' : 'episodic';
}

export interface MemoryRow {
  readonly key: number;
  readonly id: string;
  readonly owner: number;
  readonly user: Buffer;
  readonly kind: number;
  readonly session: number | null;
  readonly sessionName: Buffer | null;
  readonly timestamp: number;
  readonly storedAt: number;
  readonly weight: number;
  readonly revision: number;
  readonly readCount: number;
  readonly readAt: number | null;
  readonly text: string;
  readonly body: string;
}

/** The beginning of a query for `MemoryRow`, to which callers add conditions and an order. */
export const SELECT_MEMORIES = `
  SELECT memories.key, id, memories.owner, user, kind, session, name AS sessionName, timestamp,
    coalesce(stored_at, timestamp) AS storedAt, weight, revision, read_count AS readCount, read_at AS readAt, text, body
  FROM memories JOIN owners ON owners.key = memories.owner LEFT JOIN sessions ON sessions.key = memories.session`;

/** Converts rows to memories and reads their labels. */
export class RowReader {
  readonly #labels: Statement<[number], Buffer>;

  constructor(database: SqliteDatabase) {
    this.#labels = database
      .prepare<[number], Buffer>('SELECT label FROM labels WHERE memory = ? ORDER BY position')
      .pluck();
  }

  toNode(row: MemoryRow): MemoryNode {
    return {
      id: row.id,
      kind: kindOf(row),
      userId: keyFromBytes(row.user),
      sessionId: row.sessionName === null ? null : keyFromBytes(row.sessionName),
      timestamp: row.timestamp,
      storedAt: row.storedAt,
      text: row.text,
      labels: this.#labels.all(row.key).map(keyFromBytes),
      weight: row.weight,
      body: JSON.parse(row.body) as MemoryBody,
      revision: row.revision,
      readCount: row.readCount,
      readAt: row.readAt,
    };
  }
}

/** Returns the bytes of a vector as the tables store them: float32, little-endian. */
export function vectorToBytes(values: Float32Array): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

export function vectorFromBytes(bytes: Buffer): Float32Array {
  // The bytes are copied, because the start of a Float32Array must be a multiple of four bytes.
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
