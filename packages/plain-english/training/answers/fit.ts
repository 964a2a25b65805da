import { BIAS, type Weights } from '../../src/facts/answers/features';
import { minimise } from '../lbfgs';
import { emptySoftmax, type List, toRows, weigh } from './rows';

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

function fit(lists: readonly List[], total: number, { l2, iterations }: Options): Weights {
  const rows = toRows(lists);
  const { names, places, values, starts } = rows;
  const softmax = emptySoftmax(rows);
  const { scores, excess } = softmax;
  const point = minimise(
    (at, gradient) => {
      let loss = 0;
      for (let place = 0; place < names.length; place++) {
        const weight = at[place] ?? 0;
        loss += 0.5 * l2 * weight * weight;
        gradient[place] = l2 * weight;
      }
      for (let row = 0; row < scores.length; row++) {
        let score = 0;
        for (let each = starts[row] ?? 0; each < (starts[row + 1] ?? 0); each++)
          score += (values[each] ?? 0) * (at[places[each] ?? 0] ?? 0);
        scores[row] = score;
      }
      loss += weigh(rows, softmax) / total;
      for (let row = 0; row < scores.length; row++)
        for (let each = starts[row] ?? 0; each < (starts[row + 1] ?? 0); each++) {
          const place = places[each] ?? 0;
          gradient[place] = (gradient[place] ?? 0) + ((excess[row] ?? 0) * (values[each] ?? 0)) / total;
        }
      return loss;
    },
    names.length,
    iterations,
  );
  return Object.fromEntries(names.map((name, place) => [name, point[place] ?? 0]));
}
