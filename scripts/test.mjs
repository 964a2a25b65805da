// `npm test`, `npm run test:unit` and `npm run test:all`, by `--tier`. With other arguments, as in `npm test -- calculator`, it
// runs jest alone with these arguments, over all projects.
import { runOnReleases } from './checks/other-releases.mjs';
import { runChecks, staticChecks } from './checks/static.mjs';
import { fetchServers, runSuites } from './checks/suites.mjs';
import { MAX_USUAL_SECONDS, partsOf, readArguments, readProjects } from './checks/tiers.mjs';
import { addTotals, describeTotal, isGood, runParts } from './checks/totals.mjs';
import { PROJECT_ROOT } from './setup/paths.mjs';

const { tier, jestArgs } = readArguments(process.argv.slice(2));
const projects = readProjects(PROJECT_ROOT);
const print = (line) => process.stdout.write(`${line}\n`);
const startedAt = performance.now();

/** The checks use the time in which suites wait. The build before this script has checked the types. */
function startChecks() {
  if (jestArgs.length > 0) return runChecks([]);
  const checks = staticChecks(PROJECT_ROOT);
  return runChecks(tier === 'unit' ? checks.filter(({ name }) => name === 'types') : checks);
}

async function runPart({ projects: names, needsServers }) {
  if (needsServers) await fetchServers(PROJECT_ROOT, print);
  return runSuites(PROJECT_ROOT, [...jestArgs, '--selectProjects', ...names], projects);
}

const parts =
  tier === undefined
    ? []
    : partsOf(
        tier,
        projects.map(({ name }) => name),
      );
const checking = startChecks();
const runs = parts.map((part) => ({ name: part.name, run: () => runPart(part) }));
if (tier === 'all') runs.push({ name: 'other releases of Node.js', run: () => runOnReleases([], print) });
const alone = { name: 'suites', run: () => runSuites(PROJECT_ROOT, jestArgs, projects) };
const ofSuites = await runParts(tier === undefined ? [alone] : runs, print);
const { passed, failed, names } = await checking;
const ofChecks = { passed, failed, failures: names.map((name) => `the check ${name}`), skipped: [] };
const total = addTotals([ofSuites, ofChecks]);

const seconds = Math.round((performance.now() - startedAt) / 1000);
print(
  tier === 'usual' ? `${seconds} s of at most ${MAX_USUAL_SECONDS} s on two quiet cores` : `${seconds} s`,
);
for (const line of describeTotal(total)) print(line);
if (!isGood(ofSuites) || failed > 0) process.exitCode = 1;
