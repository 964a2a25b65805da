// Installs the missing system packages that the tests use, where the system is Debian: Java and Maven, with which
// they run a real Neo4j server; PostgreSQL, on which they run Temporal's production server; Go, which builds that
// server; and Chromium, in which they open the documentation. npm has packages of none of them. On other systems the
// script only prints what is missing.
import { runMain, SetupError } from './errors.mjs';
import { findPostgres } from './postgres.mjs';
import { say, withProgress } from './progress.mjs';
import { run } from './run.mjs';

/** The packages include the Java development kit, because the launcher of the Neo4j server is a source file. */
const JAVA = ['default-jdk-headless', 'maven'];
const BROWSER = ['chromium'];
const POSTGRES = ['postgresql'];
/**
 * The Go of Debian may be older than Temporal's server requires (`findGoProblem`). The set-up of the cluster then
 * says what to do.
 */
const GO = ['golang-go'];

const works = async (command, args) => (await run(command, args)).code === 0;

async function aptGet(args) {
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  const [command, ...rest] = [...prefix, 'apt-get', ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { code, tail } = await run(command, rest, { env });
  if (code !== 0) throw new SetupError(`${tail}\n\napt-get ${args[0]} failed (code ${code}).`);
}

await runMain(async () => {
  const hasJava = (await works('java', ['-version'])) && (await works('mvn', ['--version']));
  const hasBrowser = await works('chromium', ['--version']);
  const hasPostgres = await findPostgres().then(
    () => true,
    () => false,
  );
  const hasGo = await works('go', ['version']);
  const missing = [
    ...(hasJava ? [] : JAVA),
    ...(hasBrowser ? [] : BROWSER),
    ...(hasPostgres ? [] : POSTGRES),
    ...(hasGo ? [] : GO),
  ];
  if (missing.length === 0) return;
  if (!(await works('apt-get', ['--version']))) {
    say(`${missing.join(' and ')} missing, and there is no apt-get to install them`);
    return;
  }
  await withProgress(`installing ${missing.join(' and ')}`, async () => {
    await aptGet(['update', '--quiet']);
    await aptGet(['install', '--yes', '--quiet', '--no-install-recommends', ...missing]);
  });
});
