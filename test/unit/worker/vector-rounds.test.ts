import type { RelayedVectors } from '../../../src/memory/vectors/vector-relay';
import { runVectorRounds } from '../../../worker/embedder-watch';

const NOTHING: RelayedVectors = { released: 0, put: 0, removed: 0, reembedded: 0, isFull: false };
const full = (moved: Partial<RelayedVectors> = {}): RelayedVectors => ({
  ...NOTHING,
  isFull: true,
  ...moved,
});
const { signal } = new AbortController();

function script(...results: RelayedVectors[]): {
  round: () => Promise<RelayedVectors | undefined>;
  left(): number;
} {
  return {
    round: () => {
      const result = results.shift();
      if (result === undefined) throw new Error('one round too many');
      return Promise.resolve(result);
    },
    left: () => results.length,
  };
}

describe('rounds of moving vectors', () => {
  it('are one where all was looked at', async () => {
    const { round } = script({ ...NOTHING, released: 3 });
    expect(await runVectorRounds({ round, pauseMs: 1 }, signal)).toBe(3);
  });

  it('go on while they are full and something is done', async () => {
    const { round, left } = script(
      full({ put: 9 }),
      full({ released: 9, put: 9 }),
      full({ put: 9 }),
      full({ removed: 2 }),
      full({ released: 4 }),
      { ...NOTHING, released: 1 },
    );
    expect(await runVectorRounds({ round, pauseMs: 1 }, signal)).toBe(14);
    expect(left()).toBe(0);
  });

  it('end where two in a row do nothing', async () => {
    const { round } = script(full({ put: 9 }), full({ released: 9 }), full({ put: 9 }), full({ put: 9 }));
    expect(await runVectorRounds({ round, pauseMs: 1 }, signal)).toBe(9);
  });

  it('end where the store has no index of its own', async () => {
    expect(await runVectorRounds({ round: () => Promise.resolve(undefined), pauseMs: 1 }, signal)).toBe(0);
  });

  it('end with the worker', async () => {
    const stopping = new AbortController();
    const round = (): Promise<RelayedVectors> => {
      stopping.abort();
      return Promise.resolve(full({ released: 1 }));
    };
    await expect(runVectorRounds({ round, pauseMs: 60_000 }, stopping.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
