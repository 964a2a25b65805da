// Installs the missing system packages that the tests use, if the system is Debian: Java and Maven, with which
// they run a real Neo4j server; PostgreSQL, on which they run Temporal's production server; Go, which builds that
// server; Chromium, in which they open the documentation; and Python's virtual environments, in which they run a real language model.
// npm has packages of none of them. On other systems the script only prints what is missing.
import { runMain, SetupError } from './errors.mjs';
import { findPostgres } from './postgres.mjs';
import { say, withProgress } from './progress.mjs';
import { run } from './run.mjs';

/** The packages include the Java development kit, because the launcher of the Neo4j server is a source file. */
const JAVA = ['default-jdk-headless', 'maven'];
const BROWSER = ['chromium'];
const POSTGRES = ['postgresql'];
/**
 * The Go of Debian may be older than Temporal's server requires (`findGoProblem`). `scripts/setup/cluster.mjs` then
 * says what to do.
 */
const GO = ['golang-go'];
const PYTHON = ['python3-venv'];

const INSTALL = ['install', '--quiet', '--no-install-recommends'];
/** The units in which apt-get gives sizes, MB. */
const UNITS = { B: 1e-6, kB: 1e-3, MB: 1, GB: 1e3 };

const works = async (command, args) => (await run(command, args)).code === 0;

async function aptGet(args) {
  const { code, tail } = await runAptGet(args);
  if (code !== 0) throw new SetupError(`${tail}\n\napt-get ${args[0]} failed (code ${code}).`);
}

function runAptGet(args) {
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  const [command, ...rest] = [...prefix, 'apt-get', ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  return run(command, rest, { env });
}

/**
 * Finds what an installation is going to fetch and to fill. apt-get says it before it asks whether to continue, which
 * `--assume-no` refuses. Release 3 has other words for it.
 *
 * @returns {Promise<import('./progress.mjs').Cost>} empty if apt-get does not say it
 */
async function findAptCost(missing) {
  const { tail } = await runAptGet([...INSTALL, '--assume-no', ...missing]);
  const megabytes = (pattern) => {
    const [, number, unit] = pattern.exec(tail) ?? [];
    return number === undefined ? undefined : Math.ceil(Number(number.replaceAll(',', '')) * UNITS[unit]);
  };
  return {
    fetches: megabytes(/^(?:Need to get|\s*Download size:)\s+([\d.,]+) ([kMG]?B)/m),
    folder: "the system's folders",
    keeps: megabytes(/^(?:After this operation,|\s*Space needed:)\s+([\d.,]+) ([kMG]?B)(?! .*freed)/m),
  };
}

await runMain(async () => {
  const hasJava = (await works('java', ['-version'])) && (await works('mvn', ['--version']));
  const hasBrowser = await works('chromium', ['--version']);
  const hasPostgres = await findPostgres().then(
    () => true,
    () => false,
  );
  const hasGo = await works('go', ['version']);
  const hasPython = await works('python3', ['-c', 'import ensurepip, venv']);
  const missing = [
    ...(hasJava ? [] : JAVA),
    ...(hasBrowser ? [] : BROWSER),
    ...(hasPostgres ? [] : POSTGRES),
    ...(hasGo ? [] : GO),
    ...(hasPython ? [] : PYTHON),
  ];
  if (missing.length === 0) return;
  if (!(await works('apt-get', ['--version']))) {
    say(`${missing.join(' and ')} missing, and there is no apt-get to install them`);
    return;
  }
  const title = `installing ${missing.join(' and ')} with apt-get`;
  await withProgress("reading the system's lists of packages", () => aptGet(['update', '--quiet']));
  const cost = await findAptCost(missing);
  await withProgress(title, () => aptGet([...INSTALL, '--yes', ...missing]), { cost });
});
