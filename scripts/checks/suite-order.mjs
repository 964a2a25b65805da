import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/**
 * A suite that calls one of these waits until no other suite uses the Neo4j server (`test/support/neo4j.ts`) or the service
 * (`test/support/use-service.ts`).
 */
const WAITS_FOR_OTHERS = /\buse(?:(?:Patient)?Neo4j|ServiceAlone|ModelService)\(\)/;
/** What a suite is taken to last that no earlier run has measured, milliseconds. */
const UNKNOWN_MS = 5_000;

/** Jest's order, which begins with the longest suites, with those apart that use a server one after another. */
export default class SuiteOrder extends Sequencer {
  #workers;

  constructor(options) {
    super(options);
    this.#workers = options?.globalConfig?.maxWorkers ?? 1;
  }

  async sort(tests) {
    const sorted = await super.sort(tests);
    const isExclusive = ({ path }) => WAITS_FOR_OTHERS.test(readFileSync(path, 'utf8'));
    return setApart(sorted, isExclusive, this.#workers);
  }
}

/**
 * Orders suites so that exclusive ones are set apart. Exclusive suites wait for each other, and a worker that runs a
 * waiting suite does nothing meanwhile. Each of them is followed by as many others as the other workers run during it.
 *
 * @template {{ duration?: number }} Suite with the milliseconds that it took in an earlier run
 * @param {Suite[]} suites in the order in which they would be started
 * @param {(suite: Suite) => boolean} isExclusive
 * @param {number} workers how many suites run at a time
 * @returns {Suite[]}
 */
export function setApart(suites, isExclusive, workers) {
  const exclusive = suites.filter((suite) => isExclusive(suite));
  const others = suites.filter((suite) => !exclusive.includes(suite));
  const lengthOf = ({ duration = UNKNOWN_MS }) => duration;
  const ordered = [];
  for (const suite of exclusive) {
    ordered.push(suite);
    let left = lengthOf(suite) * (workers - 1);
    while (left > 0 && others.length > 0) {
      const other = others.shift();
      ordered.push(other);
      left -= lengthOf(other);
    }
  }
  return [...ordered, ...others];
}
