import type { FactSource } from '../../../../src/contracts/facts';
import { createKeptSources, type KeptSources } from '../../../../src/memory/facts/kept-sources';

const MINUTE_MS = 60_000;

describe('what was opened of the entries of a user', () => {
  let opened: string[];
  let time: number;
  let kept: KeptSources;
  beforeEach(() => {
    [opened, time] = [[], 0];
    kept = createKeptSources(() => time, 20);
  });
  const open = (sealed: string): FactSource => {
    opened.push(sealed);
    return { memoryId: sealed, at: 1, said: [] };
  };
  const read = (owner: string, ...entries: string[]): readonly FactSource[] => {
    const reading = kept.read(owner, open);
    for (const sealed of entries) reading.open(sealed);
    return reading.end();
  };
  const idsOf = (sources: readonly FactSource[]): string[] => sources.map(({ memoryId }) => memoryId);

  test('is opened once, and is the same list as long as nothing changes', () => {
    const first = read('ada', 'a1', 'b1');
    expect(read('ada', 'a1', 'b1')).toBe(first);
    expect(opened).toEqual(['a1', 'b1']);
  });

  test('is opened again where an entry is changed, added or removed, and nowhere else', () => {
    read('ada', 'a1', 'b1');
    expect(idsOf(read('ada', 'a2', 'b1'))).toEqual(['a2', 'b1']);
    expect(idsOf(read('ada', 'a2', 'b1', 'c1'))).toEqual(['a2', 'b1', 'c1']);
    expect(idsOf(read('ada', 'b1', 'c1'))).toEqual(['b1', 'c1']);
    expect(idsOf(read('bob', 'a2'))).toEqual(['a2']);
    expect(opened).toEqual(['a1', 'b1', 'a2', 'c1', 'a2']);
  });

  test('is dropped with the user, where others need the room, and where it is not read for long', () => {
    const again = (owner: string, ...entries: string[]): string[] => {
      opened = [];
      read(owner, ...entries);
      return opened;
    };
    read('ada', 'a1');
    kept.forget('ada');
    expect(again('ada', 'a1')).toEqual(['a1']);
    expect(again('ada')).toEqual([]);
    expect(again('ada', 'a1')).toEqual(['a1']);
    expect(again('bob', 'nineteen characters')).toHaveLength(1);
    expect(again('ada', 'a1')).toEqual(['a1']);
    time = 9 * MINUTE_MS;
    expect(again('cyd', 'c1')).toEqual(['c1']);
    expect(again('ada', 'a1')).toEqual([]);
    time = 19 * MINUTE_MS;
    expect(again('ada', 'a1')).toEqual([]);
    expect(again('cyd', 'c1')).toEqual(['c1']);
  });

  test('of more than there is room for is opened each time', () => {
    read('ada', 'more than twenty characters');
    read('ada', 'more than twenty characters');
    expect(opened).toHaveLength(2);
  });
});
