// Installs Java and Maven, with which the tests run a real Neo4j server, where they are missing and the system is
// Debian's. There is no npm package of a Neo4j server. Elsewhere it says what is missing and goes on.
import { runMain, SetupError } from './errors.mjs';
import { say, withProgress } from './progress.mjs';
import { run } from './run.mjs';

/** The development kit, because the server's launcher is a source file. */
const PACKAGES = ['default-jdk-headless', 'maven'];

const works = async (command, args) => (await run(command, args)).code === 0;

async function aptGet(args) {
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  const [command, ...rest] = [...prefix, 'apt-get', ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { code, tail } = await run(command, rest, { env });
  if (code !== 0) throw new SetupError(`${tail}\n\napt-get ${args[0]} failed (code ${code}).`);
}

await runMain(async () => {
  if ((await works('java', ['-version'])) && (await works('mvn', ['--version']))) return;
  if (!(await works('apt-get', ['--version']))) {
    say('Java or Maven is missing, and there is no apt-get to install them');
    return;
  }
  await withProgress(`installing ${PACKAGES.join(' and ')}`, async () => {
    await aptGet(['update', '--quiet']);
    await aptGet(['install', '--yes', '--quiet', '--no-install-recommends', ...PACKAGES]);
  });
});
