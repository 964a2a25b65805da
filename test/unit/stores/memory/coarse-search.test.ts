import * as fc from 'fast-check';
import type { MemoryFilters } from '../../../../src/stores/memory/search';
import { openDatabase, type SqliteDatabase } from '../../../../src/stores/sqlite/database';
import { migrate } from '../../../../src/stores/sqlite/migrate';
import { MemoryStatements } from '../../../../src/stores/sqlite/memory/memory-statements';
import { MEMORY_MIGRATIONS, prepareConnection } from '../../../../src/stores/sqlite/memory/schema';
import { signCode } from '../../../../src/stores/sqlite/memory/sign-code';
import { TIME, episodic } from '../../../contract/support/memories';
import { temporaryFolder } from '../../../contract/support/temporary-folder';
import { CoarseSearch } from '../../../../src/stores/sqlite/memory/searches';

const MEMORIES = 300;
/** So few dimensions that many codes are equally far from a query. */
const DIRECTIONS = 40;
const DIMENSIONS = 6;

interface Coded {
  readonly key: number;
  readonly user: string;
  readonly session: string;
  readonly label: string;
  readonly timestamp: number;
  readonly weight: number;
  readonly code: Buffer;
}

function vectorOf(direction: number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, axis) => Math.sin((direction + 1) * (axis + 1)));
}

function differing(one: Buffer, other: Buffer): number {
  const bits = (byte: number): number => byte.toString(2).replaceAll('0', '').length;
  return one.reduce((sum, byte, at) => sum + bits(byte ^ (other[at] as number)), 0);
}

function passes(coded: Coded, { sessionId, from = 0, to = Infinity, ...rest }: MemoryFilters): boolean {
  const { anyLabel, minWeight = 0, maxWeight = 1 } = rest;
  return (
    (sessionId === undefined || coded.session === sessionId) &&
    coded.timestamp >= from &&
    coded.timestamp <= to &&
    coded.weight >= minWeight &&
    coded.weight <= maxWeight &&
    (anyLabel?.includes(coded.label) ?? true)
  );
}

describe('the coarse pass of a vector search', () => {
  const folder = temporaryFolder();
  const all: Coded[] = [];
  let database: SqliteDatabase;
  let spaceId: number;

  beforeAll(() => {
    database = openDatabase(folder.file('memory.db'), { busyTimeoutMs: 0 });
    prepareConnection(database);
    migrate(database, MEMORY_MIGRATIONS);
    const statements = new MemoryStatements(database, { vectorsElsewhere: false });
    database.transaction(() => {
      spaceId = statements.spaces.pin('first', DIMENSIONS).id;
      for (let index = 0; index < MEMORIES; index += 1) insert(statements, index);
      const next = statements.spaces.openNext('second', DIMENSIONS).id;
      for (const { id } of database.prepare<[], { id: string }>('SELECT id FROM memories').all()) {
        statements.putVector({ id, revision: 1, vector: { spaceId: next, values: vectorOf(0) } });
      }
    })();
  });
  afterAll(() => {
    database.close();
    folder.remove();
  });

  function insert(statements: MemoryStatements, index: number): void {
    const user = ['ann', 'bob'][index % 2] as string;
    const values = vectorOf((index * 7) % DIRECTIONS);
    const session = `s${index % 3}`;
    const label = `label ${index % 5}`;
    const [timestamp, weight] = [TIME + (index % 10), (index % 4) / 4];
    const node = episodic({ userId: user, sessionId: session, labels: [label], timestamp, weight });
    statements.insert({ node, vector: { spaceId, values } }, {});
    const key = database.prepare('SELECT key FROM memories WHERE id = ?').pluck().get(node.id) as number;
    all.push({ key, user, session, label, timestamp, weight, code: signCode(values) });
  }

  it('leaves what comparing bit by bit leaves, whatever the filter, and the least keys of equals', () => {
    const anyTime = fc.integer({ min: TIME - 1, max: TIME + 10 });
    const anyFilters: fc.Arbitrary<MemoryFilters> = fc.record(
      {
        sessionId: fc.constantFrom('s0', 's1', 's2', 'none'),
        from: anyTime,
        to: anyTime,
        anyLabel: fc.subarray(['label 0', 'label 1', 'label 4', 'none']),
        minWeight: fc.constantFrom(0.25, 0.5),
        maxWeight: fc.constantFrom(0.5, 0.75),
      },
      { requiredKeys: [] },
    );
    const memoryOf = database.prepare<[number], number>('SELECT memory FROM vectors WHERE key = ?').pluck();
    const property = fc.property(
      fc.constantFrom('ann', 'bob', 'carol'),
      anyFilters,
      fc.nat({ max: 2 * DIRECTIONS }),
      fc.integer({ min: 0, max: MEMORIES }),
      (userId, filters, direction, limit) => {
        const vector = vectorOf(direction);
        const query = { userId, kind: 'episodic', spaceId, vector, filters, limit: 1 } as const;
        const found = new CoarseSearch(database).nearest(query, limit);
        const code = signCode(vector);
        const expected = all
          .filter((each) => each.user === userId && passes(each, filters))
          .sort((a, b) => differing(a.code, code) - differing(b.code, code) || a.key - b.key)
          .slice(0, limit);
        expect(found.map((key) => memoryOf.get(key))).toEqual(expected.map(({ key }) => key));
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  it('counts every bit of the longest codes', () => {
    const distance = database
      .prepare<[Buffer, Buffer], number>('SELECT vec_distance_hamming(vec_bit(?), vec_bit(?))')
      .pluck();
    const [none, every] = [0, 0xff].map((byte) => Buffer.alloc(512, byte)) as [Buffer, Buffer];
    expect(distance.get(none, every)).toBe(4_096);
    expect(distance.get(none, Buffer.concat([Buffer.alloc(1), every.subarray(1)]))).toBe(4_088);
  });
});
