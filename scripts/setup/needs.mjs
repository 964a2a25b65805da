/** The npm scripts that start a development server whatever the environment says. */
const ALWAYS = new Set(['pretest', 'prebench', 'pretemporal']);
/** The npm scripts that start a single process, which connects to a Temporal server that is already running. */
const NEVER = new Set(['preapi', 'preworker', 'prerecords']);

/**
 * Whether this run of the set-up has to provide Temporal's development server. `--temporal` and
 * `--no-temporal` decide it; without them the npm script that runs the set-up; for other scripts, whether an
 * existing server is configured.
 *
 * @param {string[]} args the arguments of the set-up script
 * @param {NodeJS.ProcessEnv} env
 */
export function needsTemporalCli(args, env) {
  if (args.includes('--temporal')) return true;
  if (args.includes('--no-temporal')) return false;
  const script = env.npm_lifecycle_event ?? '';
  if (ALWAYS.has(script)) return true;
  if (NEVER.has(script)) return false;
  return !env.TEMPORAL_ADDRESS && !env.TEMPORAL_PROFILE;
}
