/**
 * Returns the npm that runs this script, if one does, so that a single version of npm is used.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} the command and its first arguments
 */
export function npmCommand(env) {
  const path = env.npm_execpath;
  return path && /npm-cli\.c?js$/.test(path) ? [process.execPath, path] : ['npm'];
}
