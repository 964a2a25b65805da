import { createReadCounter, type ReadCounter } from '../../../../src/memory/nodes/read-counter';
import type { ReadNote } from '../../../../src/stores/memory/memory-graph';
import type { MemoryNode } from '../../../../src/stores/memory/node';
import { semantic } from '../../../contract/support/memories';

const NOW = 1_800_000_000_000;

let written: (readonly ReadNote[])[];
let lost: unknown[];
let write: (notes: readonly ReadNote[]) => Promise<void>;
let reads: ReadCounter;

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  written = [];
  lost = [];
  write = (notes) => Promise.resolve(void written.push(notes));
  reads = createReadCounter({ noteReads: (notes) => write(notes) }, (error) => lost.push(error));
});
afterEach(async () => {
  await reads.close();
  jest.useRealTimers();
});

function node(id: string, readCount = 0): MemoryNode {
  return { ...semantic({ id }), revision: 1, readCount, readAt: null };
}

const countOf = (id: string, readCount = 0): number => reads.note(node(id, readCount)).readCount;

describe('counting reads', () => {
  it('tells each read at once and writes them together, about a second later', async () => {
    expect([countOf('a', 5), countOf('a', 5), countOf('b')]).toEqual([6, 7, 1]);
    expect(reads.note(node('b')).readAt).toBe(NOW);
    expect(written).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([
      [
        { id: 'a', count: 2, at: NOW },
        { id: 'b', count: 2, at: NOW },
      ],
    ]);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(written).toHaveLength(1);
  });

  it('keeps what could not be written, and adds to it', async () => {
    const works = write;
    write = () => Promise.reject(new Error('away'));
    countOf('a');
    await reads.flush();
    expect(lost).toEqual([new Error('away')]);
    write = works;
    expect(countOf('a')).toBe(2);
    await reads.flush();
    expect(written).toEqual([[{ id: 'a', count: 2, at: NOW }]]);
  });

  it('writes once at a time, and a flush ends when all from before it is written', async () => {
    const opened: (() => void)[] = [];
    const works = write;
    write = async (notes) => {
      await new Promise<void>((open) => opened.push(open));
      await works(notes);
    };
    countOf('a');
    const first = reads.flush();
    await Promise.resolve();
    countOf('b');
    const second = reads.flush();
    await Promise.resolve();
    expect(opened).toHaveLength(1);
    opened[0]?.();
    await first;
    expect(written.flat().map(({ id }) => id)).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(0);
    opened[1]?.();
    await second;
    expect(written.flat().map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('counts on from what is being written, where the store does not show it yet', async () => {
    const works = write;
    let open = (): void => {};
    write = async (notes) => {
      await new Promise<void>((resolve) => (open = resolve));
      await works(notes);
    };
    expect([countOf('a', 5), countOf('a', 5)]).toEqual([6, 7]);
    const flushed = reads.flush();
    await jest.advanceTimersByTimeAsync(0);
    expect(countOf('a', 5)).toBe(8);
    open();
    await flushed;
    // This one was read before the write was committed.
    expect(countOf('a', 5)).toBe(9);
    expect(countOf('a', 7)).toBe(10);
    write = works;
  });

  it('counts no read twice where a write fails during which others were counted', async () => {
    let fail = (): void => {};
    write = () => new Promise((_, reject) => (fail = () => reject(new Error('away'))));
    expect([countOf('a', 5), countOf('a', 5)]).toEqual([6, 7]);
    const flushed = reads.flush();
    await jest.advanceTimersByTimeAsync(0);
    expect(countOf('a', 5)).toBe(8);
    fail();
    await flushed;
    expect(countOf('a', 5)).toBe(9);
    write = () => Promise.resolve();
  });

  it('leaves reads uncounted rather than fill the memory', () => {
    for (let n = 0; n < 10_000; n += 1) countOf(String(n));
    expect(countOf('one too many', 3)).toBe(3);
    expect(countOf('0')).toBe(2);
  });

  it('writes the last of them when it is closed, and counts no more by itself', async () => {
    countOf('a');
    await reads.close();
    expect(written).toEqual([[{ id: 'a', count: 1, at: NOW }]]);
    countOf('b');
    await jest.advanceTimersByTimeAsync(5_000);
    expect(written).toHaveLength(1);
  });
});
