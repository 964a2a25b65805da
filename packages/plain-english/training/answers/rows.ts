import type { Features } from '../../src/facts/answers/features';

/** Candidates of one question. */
export interface List {
  readonly candidates: readonly Features[];
  readonly right: readonly boolean[];
}

/** The candidates of all lists, one row each: row `r` has its features from `starts[r]` to `starts[r + 1]`. */
export interface Rows {
  readonly names: readonly string[];
  /** The place of each feature's name. */
  readonly places: Int32Array;
  readonly values: Float64Array;
  readonly starts: Int32Array;
  /** List `l` has its rows from `lists[l]` to `lists[l + 1]`. */
  readonly lists: Int32Array;
  readonly isRight: Uint8Array;
}

/** Lays out the lists that have a right candidate. */
export function toRows(lists: readonly List[]): Rows {
  const known = new Map<string, number>();
  const places: number[] = [];
  const values: number[] = [];
  const starts = [0];
  const ends = [0];
  const isRight: number[] = [];
  for (const { candidates, right } of lists) {
    if (!right.includes(true)) continue;
    candidates.forEach((one, at) => {
      for (const [name, value] of one) {
        const place = known.get(name) ?? known.size;
        known.set(name, place);
        places.push(place);
        values.push(value);
      }
      starts.push(places.length);
      isRight.push(Number(right[at] === true));
    });
    ends.push(isRight.length);
  }
  return {
    names: [...known.keys()],
    places: Int32Array.from(places),
    values: Float64Array.from(values),
    starts: Int32Array.from(starts),
    lists: Int32Array.from(ends),
    isRight: Uint8Array.from(isRight),
  };
}

/** Numbers of each row. */
export interface Softmax {
  readonly scores: Float64Array;
  /** The share in the softmax of its list. */
  readonly shares: Float64Array;
  /** How far the share is above what it should be: the slope of the loss by the score. */
  readonly excess: Float64Array;
}

export function emptySoftmax({ isRight: { length } }: Rows): Softmax {
  return {
    scores: new Float64Array(length),
    shares: new Float64Array(length),
    excess: new Float64Array(length),
  };
}

/** Writes what follows from the scores, and returns the loss: minus the logarithms of the shares of the right rows of each list. */
export function weigh({ lists, isRight }: Rows, { scores, shares, excess }: Softmax): number {
  let loss = 0;
  for (let list = 0; list + 1 < lists.length; list++) {
    const [from, to] = [lists[list] ?? 0, lists[list + 1] ?? 0];
    let top = -Infinity;
    for (let row = from; row < to; row++) top = Math.max(top, scores[row] ?? 0);
    let [all, right] = [0, 0];
    for (let row = from; row < to; row++) {
      const raised = Math.exp((scores[row] ?? 0) - top);
      shares[row] = raised;
      all += raised;
      if (isRight[row]) right += raised;
    }
    for (let row = from; row < to; row++) {
      const raised = shares[row] ?? 0;
      shares[row] = raised / all;
      excess[row] = raised / all - (isRight[row] ? raised / right : 0);
    }
    loss -= Math.log(right / all);
  }
  return loss;
}
