/** npm's names of the scripts that start a development server whatever the environment says. */
const ALWAYS = new Set(['pretest', 'prebench', 'pretemporal']);
/** The scripts of single processes: they connect to a Temporal server that somebody else runs. */
const NEVER = new Set(['preapi', 'preworker', 'prerecords']);

/**
 * Whether this run of the set-up has to provide Temporal's development server. `--temporal` and
 * `--no-temporal` decide; else the npm script that the set-up runs for; else whether an existing server
 * is configured.
 *
 * @param {string[]} args the script's own arguments
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
