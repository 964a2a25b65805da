import * as fc from 'fast-check';
import { CODE_OFFSET, CodeChunk } from '../../../../src/stores/sqlite/memory/code-chunk';
import type { CodeFields } from '../../../../src/stores/sqlite/memory/code-chunk';
import { nearestCodes } from '../../../../src/stores/sqlite/memory/nearest-codes';
import type { CodeFilter } from '../../../../src/stores/sqlite/memory/nearest-codes';

const CODE_BYTES = 128;

interface Coded extends CodeFields {
  readonly code: Buffer;
}

const anyCode = fc
  .uint8Array({ minLength: CODE_BYTES, maxLength: CODE_BYTES })
  .map((bytes) => Buffer.from(bytes));
const anyCoded: fc.Arbitrary<Coded[]> = fc.uniqueArray(
  fc.record({
    memory: fc.integer({ min: 1, max: 2 ** 40 }),
    session: fc.integer({ min: 0, max: 3 }),
    timestamp: fc.integer({ min: 0, max: 9 }),
    weight: fc.integer({ min: 0, max: 4 }).map((quarters) => quarters / 4),
    code: anyCode,
  }),
  { selector: ({ memory }) => memory, minLength: 1, maxLength: 60 },
);

function chunkOf(coded: readonly Coded[]): CodeChunk {
  const chunk = CodeChunk.empty(CODE_BYTES);
  for (const { code, ...fields } of coded) chunk.add(fields, code);
  return chunk;
}

const packed = ({ used, bytes }: CodeChunk) => ({ used, slots: bytes });

function differing(one: Buffer, other: Buffer): number {
  const bits = (byte: number): number => byte.toString(2).replaceAll('0', '').length;
  return one.reduce((sum, byte, at) => sum + bits(byte ^ (other[at] as number)), 0);
}

function passes(
  coded: Coded,
  { session, from = 0, to = 99, minWeight = 0, maxWeight = 1, among }: CodeFilter,
) {
  return (
    (session === undefined || coded.session === session) &&
    coded.timestamp >= from &&
    coded.timestamp <= to &&
    coded.weight >= minWeight &&
    coded.weight <= maxWeight &&
    (among?.has(coded.memory) ?? true)
  );
}

describe('the coarse pass of a vector search', () => {
  it('leaves what comparing bit by bit leaves, whatever the filter', () => {
    const anyFilter = fc.record(
      {
        session: fc.integer({ min: 0, max: 3 }),
        from: fc.integer({ min: 0, max: 9 }),
        to: fc.integer({ min: 0, max: 9 }),
        minWeight: fc.constantFrom(0.25, 0.5),
        maxWeight: fc.constantFrom(0.5, 0.75),
      },
      { requiredKeys: [] },
    );
    const property = fc.property(
      anyCoded,
      anyCode,
      anyFilter,
      fc.boolean(),
      fc.integer({ min: 0, max: 30 }),
      (coded, code, conditions, withLabels, limit) => {
        const labelled = new Set(coded.filter((_, at) => at % 2 === 0).map(({ memory }) => memory));
        const filter = withLabels ? { ...conditions, among: labelled } : conditions;
        const half = Math.floor(coded.length / 2);
        const chunks = [coded.slice(0, half), coded.slice(half)].map((part) => packed(chunkOf(part)));
        const found = nearestCodes(chunks, { code, filter, limit, total: coded.length });
        const expected = coded
          .filter((each) => passes(each, filter))
          .sort((a, b) => differing(a.code, code) - differing(b.code, code) || a.memory - b.memory)
          .slice(0, limit);
        expect(new Set(found)).toEqual(new Set(expected.map(({ memory }) => memory)));
        expect(found).toHaveLength(expected.length);
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  it('counts every bit of the longest codes', () => {
    const [none, all] = [0, 0xff].map((byte) => Buffer.alloc(512, byte)) as [Buffer, Buffer];
    const chunk = CodeChunk.empty(512);
    const fields = { session: 0, timestamp: 0, weight: 0 };
    chunk.add({ ...fields, memory: 1 }, all);
    chunk.add({ ...fields, memory: 2 }, Buffer.concat([Buffer.alloc(1), all.subarray(1)]));
    const nearest = nearestCodes([packed(chunk)], { code: none, filter: {}, limit: 1, total: 2 });
    expect(nearest).toEqual([2]);
  });
});

describe('a chunk of codes', () => {
  it('keeps what is left when some are removed, and no byte of these', () => {
    const property = fc.property(anyCoded, fc.infiniteStream(fc.boolean()), (coded, isRemoved) => {
      const chunk = chunkOf(coded);
      const left = coded.filter(({ memory }) => {
        if (isRemoved.next().value !== true) return true;
        chunk.remove(memory);
        return false;
      });
      expect(chunk.used).toBe(left.length);
      const slotBytes = CODE_OFFSET + CODE_BYTES;
      expect(chunk.bytes.subarray(left.length * slotBytes).every((byte) => byte === 0)).toBe(true);
      const kept = chunk.bytes.subarray(0, left.length * slotBytes);
      for (const { code, memory } of left) {
        const at = kept.indexOf(code);
        expect([at % slotBytes, kept.readDoubleLE(at - CODE_OFFSET)]).toEqual([CODE_OFFSET, memory]);
      }
    });
    fc.assert(property, { numRuns: 100 });
  });

  it('says so where a memory is not in it', () => {
    expect(() => CodeChunk.empty(CODE_BYTES).setWeight(7, 1)).toThrow('memory 7');
  });
});
