/**
 * @typedef {object} Total
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} failures names of what failed
 * @property {string[]} skipped names of what was skipped
 */

/**
 * Adds up what parts of a run counted.
 *
 * @param {Total[]} totals
 * @returns {Total}
 */
export function addTotals(totals) {
  const sum = (pick) => totals.reduce((total, one) => total + pick(one), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    failures: totals.flatMap(({ failures }) => failures),
    skipped: totals.flatMap(({ skipped }) => skipped),
  };
}

/**
 * The last lines of a run. What failed stands at the end, because the start of a long output is often cut off, and the counts
 * are the last line.
 *
 * @param {Total} total
 * @returns {string[]}
 */
export function describeTotal({ passed, failed, failures, skipped }) {
  return [
    ...failures.map((name) => `failed: ${name}`),
    ...skipped.map((name) => `skipped: ${name}`),
    `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
  ];
}

/**
 * Runs parts one after another, also after a part that failed. A part that throws counts as one failure.
 *
 * @param {{ name: string, run: () => Promise<Total> }[]} parts
 * @param {(line: string) => void} print
 * @returns {Promise<Total>}
 */
export async function runParts(parts, print) {
  const totals = [];
  for (const { name, run } of parts) {
    const startedAt = performance.now();
    const total = await run().catch((error) => ({
      passed: 0,
      failed: 1,
      failures: [`${name}: ${error instanceof Error ? error.message : String(error)}`],
      skipped: [],
    }));
    totals.push(total);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    if (parts.length > 1) print(`${name}: ${total.passed} passed, ${total.failed} failed in ${seconds} s`);
  }
  return addTotals(totals);
}

/**
 * Whether a run counts as good. One that ran no test does not, because then something is wrong with it.
 *
 * @param {Total} total
 */
export function isGood({ passed, failed }) {
  return failed === 0 && passed > 0;
}
