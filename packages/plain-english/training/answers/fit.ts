import { BIAS, type Features, type Weights } from '../../src/facts/answers/features';
import { minimise } from '../lbfgs';

/** Candidates of one question. */
export interface List {
  readonly candidates: readonly Features[];
  readonly right: readonly boolean[];
}

interface Options {
  /** The factor of half of the squared weights. */
  readonly l2: number;
  readonly iterations: number;
}

/**
 * Fits the weights with which the right candidates of each list together get the largest share of a softmax (a conditional logit
 * model with several right choices). Deterministic.
 */
export function fitLists(lists: readonly List[], options: Options): Weights {
  return fit(lists, lists.length, options);
}

/** Fits the weights of a logistic regression of each candidate by itself, with a bias. Each list counts as one. */
export function fitShares(lists: readonly List[], options: Options): Weights {
  const pairs = lists.flatMap(({ candidates, right }) =>
    candidates.map((one, at) => ({
      candidates: [new Map(one).set(BIAS, 1), new Map()],
      right: [right[at] === true, right[at] !== true],
    })),
  );
  return fit(pairs, lists.length, options);
}

interface Row {
  readonly places: Int32Array;
  readonly values: Float64Array;
  readonly isRight: boolean;
}

function fit(lists: readonly List[], total: number, { l2, iterations }: Options): Weights {
  const places = new Map<string, number>();
  const placeOf = (name: string): number => {
    const place = places.get(name) ?? places.size;
    places.set(name, place);
    return place;
  };
  const rows: Row[][] = lists
    .filter(({ right }) => right.includes(true))
    .map(({ candidates, right }) =>
      candidates.map((one, at) => ({
        places: Int32Array.from([...one.keys()].map(placeOf)),
        values: Float64Array.from(one.values()),
        isRight: right[at] === true,
      })),
    );
  const size = places.size;
  const point = minimise(
    (at, gradient) => {
      let loss = 0;
      for (let place = 0; place < size; place++) {
        const weight = at[place] ?? 0;
        loss += 0.5 * l2 * weight * weight;
        gradient[place] = l2 * weight;
      }
      for (const list of rows) loss += addLoss(list, at, gradient, total);
      return loss;
    },
    size,
    iterations,
  );
  return Object.fromEntries([...places].map(([name, place]) => [name, point[place] ?? 0]));
}

/** Adds the gradient of one list, and returns its loss: minus the logarithm of the share of the right ones. */
function addLoss(list: readonly Row[], at: Float64Array, gradient: Float64Array, total: number): number {
  const scores = list.map(({ places, values }) =>
    values.reduce((sum, value, index) => sum + value * (at[places[index] ?? 0] ?? 0), 0),
  );
  const top = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - top));
  const sumOf = (isCounted: (row: Row) => boolean): number =>
    list.reduce((sum, row, index) => sum + (isCounted(row) ? (raised[index] ?? 0) : 0), 0);
  const [all, right] = [sumOf(() => true), sumOf(({ isRight }) => isRight)];
  list.forEach(({ places, values, isRight }, index) => {
    const share = (raised[index] ?? 0) / all - (isRight ? (raised[index] ?? 0) / right : 0);
    for (let each = 0; each < places.length; each++) {
      const place = places[each] ?? 0;
      gradient[place] = (gradient[place] ?? 0) + (share * (values[each] ?? 0)) / total;
    }
  });
  return -Math.log(right / all) / total;
}
