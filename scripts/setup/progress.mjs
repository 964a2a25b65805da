const TICK_MS = 15_000;

/** Prints progress to stderr, because stdout is for the result of a script. */
export function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

/** Formats a time as in "8 s" and "3 min 20 s". */
export function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * What a step fetches or builds, as far as it is known before it begins.
 *
 * @typedef {object} Cost
 * @property {number} [fetches] about how much it fetches, MB
 * @property {number} [minutes] about how long it takes on two cores
 * @property {string} [folder] the folder in which the result stays
 * @property {number} [keeps] about how large the result is, MB
 */

/**
 * Describes a cost as in "about 130 MB to fetch, about 1 minute on 2 cores, kept in /cache/neo4j (130 MB)".
 *
 * @param {Cost} cost
 */
export function describeCost({ fetches, minutes, folder, keeps }) {
  return [
    ...(fetches === undefined ? [] : [`about ${Math.ceil(fetches)} MB to fetch`]),
    ...(minutes === undefined ? [] : [`about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} on 2 cores`]),
    ...(folder === undefined ? [] : [`kept in ${folder}${keeps === undefined ? '' : ` (${keeps} MB)`}`]),
  ].join(', ');
}

/**
 * Runs a long step. It prints the step's title with its cost at the start, its progress every 15 s, and its time at the
 * end.
 *
 * @param {string} title
 * @param {() => Promise<T>} action
 * @param {{ cost?: Cost, detail?: () => string }} [options] `detail` returns a description of the present progress, or
 * an empty string
 * @template T
 * @returns {Promise<T>}
 */
export async function withProgress(title, action, { cost = {}, detail = () => '' } = {}) {
  const startedAt = Date.now();
  const announced = describeCost(cost);
  say(`${title}${announced === '' ? '' : ` (${announced})`} ...`);
  const timer = setInterval(() => {
    const more = detail();
    say(`${title}: ${duration(Date.now() - startedAt)}${more ? `, ${more}` : ''}`);
  }, TICK_MS);
  try {
    const result = await action();
    say(`${title}: done in ${duration(Date.now() - startedAt)}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
