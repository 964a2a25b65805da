import type { Statement } from 'better-sqlite3';
import { relationField, relationshipRefused } from '../../memory/errors';
import type { Neighbours } from '../../memory/memory-graph';
import {
  ALL_TIES,
  type NewRelation,
  type RelatedMemory,
  type RelationType,
  type TiedAs,
} from '../../memory/node';
import { compareRelated } from '../../memory/related-order';
import type { SqliteDatabase } from '../database';
import { SEMANTIC } from './rows';

/** The fields of a memory that relations need. */
export interface RelationEnd {
  readonly key: number;
  readonly owner: number;
  readonly kind: number;
}

/** Relations between memories. Those without a direction are stored once, from the smaller key to the larger. */
export class Relations {
  readonly #end: Statement<[string], RelationEnd>;
  readonly #insert: Statement<[number, number, RelationType]>;
  readonly #removeAll: Statement<[number, number]>;
  readonly #remove: Statement<{ key: number; ties: string }>;
  readonly #leaveParent: Statement<[number]>;
  readonly #parent: Statement<[number], number>;
  readonly #related: Statement<{ id: string }, RelatedMemory>;
  readonly #neighbours: Statement<[string], { previous: string | null; next: string | null }>;

  constructor(database: SqliteDatabase) {
    this.#end = database.prepare('SELECT key, owner, kind FROM memories WHERE id = ?');
    this.#insert = database.prepare(
      'INSERT OR IGNORE INTO relations (source, target, type) VALUES (?, ?, ?)',
    );
    this.#removeAll = database.prepare('DELETE FROM relations WHERE source = ? OR target = ?');
    // Of a parent the other end is a child.
    this.#remove = database.prepare(`
      DELETE FROM relations WHERE (source = @key OR target = @key)
        AND iif(type = 'parent' AND target = @key, 'child', type) IN (SELECT value FROM json_each(@ties))
    `);
    this.#leaveParent = database.prepare(`DELETE FROM relations WHERE source = ? AND type = 'parent'`);
    this.#parent = database
      .prepare<[number], number>(`SELECT target FROM relations WHERE source = ? AND type = 'parent'`)
      .pluck();
    this.#related = database.prepare(`
      WITH this AS (SELECT key, previous FROM memories WHERE id = @id)
      SELECT id, 'previous' AS relationship FROM memories WHERE key = (SELECT previous FROM this)
      UNION ALL
      SELECT id, 'next' FROM memories WHERE previous = (SELECT key FROM this)
      UNION ALL
      SELECT id, type FROM relations JOIN memories ON key = target WHERE source = (SELECT key FROM this)
      UNION ALL
      SELECT id, iif(type = 'parent', 'child', type)
        FROM relations JOIN memories ON key = source WHERE target = (SELECT key FROM this)
    `);
    this.#neighbours = database.prepare(`
      SELECT (SELECT id FROM memories WHERE key = this.previous) AS previous,
        (SELECT id FROM memories WHERE previous = this.key) AS next
      FROM memories AS this WHERE id = ?
    `);
  }

  /** Finds the neighbours in the session; undefined if there are none. */
  neighbours(id: string): Neighbours | undefined {
    const { previous = null, next = null } = this.#neighbours.get(id) ?? {};
    if (previous === null && next === null) return undefined;
    return { previous: previous ?? undefined, next: next ?? undefined };
  }

  /** Lists the related memories, including the neighbours in the session. */
  related(id: string): RelatedMemory[] {
    return this.#related.all({ id }).sort(compareRelated);
  }

  /** @returns the number of relations that were removed */
  removeAll(key: number): number {
    return this.#removeAll.run(key, key).changes;
  }

  /**
   * Replaces relations of a memory.
   * @param replaced those that it replaces; the others stay
   * @throws HoldfastError `VALIDATION` as `MemoryGraph.insert`
   */
  replace(
    from: RelationEnd,
    relations: readonly NewRelation[],
    replaced: readonly TiedAs[] = ALL_TIES,
  ): void {
    this.#remove.run({ key: from.key, ties: JSON.stringify(replaced) });
    for (const relation of relations) this.#add(from, relation);
    const parents = relations.filter(({ type, direction }) => type === 'parent' && direction === 'out');
    if (new Set(parents.map(({ id }) => id)).size > 1) {
      throw relationshipRefused('parent', 'names more than one memory');
    }
    // A new circle contains this memory, because it needs both a new parent and a new child.
    if (this.#isOwnAncestor(from.key))
      throw relationshipRefused('parent', 'would make parents go in a circle');
  }

  #add(from: RelationEnd, { type, direction, id }: NewRelation): void {
    const field = relationField(type, direction);
    const to = this.#end.get(id);
    if (to?.owner !== from.owner) throw relationshipRefused(field, 'names no memory of this user');
    if (to.key === from.key) throw relationshipRefused(field, 'names the memory itself');
    if (type !== 'related' && (from.kind !== SEMANTIC || to.kind !== SEMANTIC)) {
      throw relationshipRefused(field, 'is for semantic memories');
    }
    if (type === 'parent') {
      const [child, parent] = direction === 'out' ? [from, to] : [to, from];
      this.#leaveParent.run(child.key);
      this.#insert.run(child.key, parent.key, type);
    } else {
      this.#insert.run(Math.min(from.key, to.key), Math.max(from.key, to.key), type);
    }
  }

  #isOwnAncestor(key: number): boolean {
    const seen = new Set<number>();
    for (let up = this.#parent.get(key); up !== undefined && !seen.has(up); up = this.#parent.get(up)) {
      if (up === key) return true;
      seen.add(up);
    }
    return false;
  }
}
