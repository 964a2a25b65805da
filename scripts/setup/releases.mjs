import { run } from './run.mjs';

const MIN_GO = [1, 25];

/**
 * Says what is wrong with the Go on PATH, with which Temporal's production server is built.
 *
 * @returns {Promise<string | undefined>} undefined if it can be used
 */
export async function findGoProblem(env) {
  const what = `Go ${MIN_GO.join('.')} or later (https://go.dev/dl), with which Temporal's production server is built`;
  const { code, tail } = await run('go', ['version'], { env });
  if (code !== 0) return what;
  const found = (/ go(\d+(?:\.\d+)*)/.exec(tail)?.[1] ?? '0').split('.').map(Number);
  if (isAtLeast(found, MIN_GO)) return undefined;
  // From 1.21 on, Go fetches the release that a module requires, if GOTOOLCHAIN allows it.
  const { tail: toolchain } = await run('go', ['env', 'GOTOOLCHAIN'], { env });
  if (isAtLeast(found, [1, 21]) && /\b(auto|path)\b/.test(toolchain)) return undefined;
  return `${what}; the one on PATH is ${found.join('.')}`;
}

/** Whether a version is a minimum or later, by its first two numbers. A version without numbers is not. */
export function isAtLeast([major = 0, minor = 0], [minMajor, minMinor]) {
  return major > minMajor || (major === minMajor && minor >= minMinor);
}
