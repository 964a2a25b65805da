import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** The servers of suites that `npm test` does not run, each with what its set-up fetches or builds once. */
const SERVERS = [
  { name: 'neo4j', effort: 'Neo4j, a download of 130 MB' },
  { name: 's3proxy', effort: 'S3Proxy, a download of 54 MB' },
  { name: 'time-skipping', effort: "Temporal's test server, a download of 40 MB" },
  { name: 'cluster', effort: "Temporal's production server, a build of about 6 minutes" },
  { name: 'real-models', effort: "llama.cpp's server and a small language model, a download of 155 MB" },
  { name: 'other-workers', effort: "Temporal's SDKs for Python and Go, a download of 75 MB" },
  {
    name: 'openai-clients',
    effort: "OpenAI's clients, and the Node.js that one of them needs, a download of 120 MB",
  },
];

/**
 * Fetches or builds the servers of the tests that are missing: Neo4j, S3, Temporal's test server and its production server. This may take
 * minutes, and no suite has to wait for it this way. If it fails, the suites that need a server report it.
 *
 * @param {string} root
 * @param {(line: string) => void} print
 */
export async function fetchServers(root, print) {
  print(`Provides what this machine does not have yet: ${SERVERS.map(({ effort }) => effort).join('; ')}.`);
  for (const { name } of SERVERS) {
    const script = join(root, 'scripts', 'setup', `${name}.mjs`);
    await runScript([script], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

/**
 * Runs jest with the given arguments. Its report goes to the terminal.
 *
 * @param {string} root
 * @param {string[]} args
 * @param {{ name: string, folders: string[] }[]} projects of `readProjects`
 * @returns {Promise<import('./totals.mjs').Total>}
 */
export async function runSuites(root, args, projects) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
  const file = join(folder, 'results.json');
  try {
    const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    const status = await runScript([jest, '--json', '--outputFile', file, ...args], {
      cwd: root,
      // With --json jest prints its report to stderr. It is sent to stdout here, so that the closing line comes after
      // it.
      stdio: ['inherit', 'inherit', 1],
    });
    const results = readResults(file);
    for (const line of describeTimes(results, root, projects)) process.stdout.write(`${line}\n`);
    return countResults(results, status, root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs Node.js and resolves with its exit code, or null if it was killed. */
async function runScript(args, options) {
  const [code] = await once(spawn(process.execPath, args, options), 'exit');
  return code;
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Counts what jest reports. A file that could not be run counts as one failed test, and so does an exit
 * code that no failed test explains, so that a broken run never counts as passed.
 *
 * @param {object | undefined} results the results that jest wrote; undefined if it wrote none
 * @param {number | null} status the exit code of jest; null if it was killed
 * @param {string} root the folder to which the names of failed and of skipped tests are relative
 */
export function countResults(results, status, root) {
  const counted = { passed: 0, failures: [], skipped: [] };
  for (const file of results?.testResults ?? []) {
    const path = relative(root, file.name);
    const failedBefore = counted.failures.length;
    for (const test of file.assertionResults) {
      if (test.status === 'passed') counted.passed += 1;
      else if (test.status === 'failed') counted.failures.push(`${path}: ${test.fullName}`);
      else counted.skipped.push(`${path}: ${test.fullName} (${test.status})`);
    }
    if (file.status === 'failed' && counted.failures.length === failedBefore)
      counted.failures.push(`${path}: the suite itself`);
  }
  if (status !== 0 && counted.failures.length === 0) counted.failures.push(`jest ended with ${status}`);
  return { ...counted, failed: counted.failures.length };
}

/** How many suites the report names as the slowest. */
const MAX_SLOWEST = 10;

/** How long the suites of a project may take together on two quiet cores, seconds. */
const MAX_PROJECT_SECONDS = { tour: 400 };

/**
 * Where the time of a run went: for each project its number of suites, the sum of their times, which is longer than
 * the run because suites run side by side, and their share of all; and the slowest suites.
 *
 * @param {object | undefined} results jest's own results; undefined when it wrote none
 * @param {string} root for the names of the suites
 * @param {{ name: string, folders: string[] }[]} projects of `readProjects`
 * @returns {string[]} lines
 */
export function describeTimes(results, root, projects) {
  const suites = (results?.testResults ?? []).map(({ name, startTime, endTime }) => {
    const path = relative(root, name);
    const isIn = (folder) => path.startsWith(`${folder}/`);
    const project = projects.find(({ folders }) => folders.some(isIn))?.name ?? 'others';
    return { path, project, seconds: (endTime - startTime) / 1000 };
  });
  const inAll = sumOf(suites);
  const share = (seconds) => `${seconds.toFixed(0)} s, ${((100 * seconds) / (inAll || 1)).toFixed(0)} %`;
  const names = [...new Set(suites.map(({ project }) => project))].sort();
  const ofProjects = names.map((name) => {
    const own = suites.filter(({ project }) => project === name);
    const max = MAX_PROJECT_SECONDS[name];
    const limit = max === undefined ? '' : `, at most ${max} s on two quiet cores`;
    return `${name}: ${own.length} suites, ${share(sumOf(own))}${limit}`;
  });
  const slowest = suites.sort((one, other) => other.seconds - one.seconds).slice(0, MAX_SLOWEST);
  return [...ofProjects, ...slowest.map(({ path, seconds }) => `${share(seconds)} ${path}`)];
}

function sumOf(suites) {
  return suites.reduce((sum, { seconds }) => sum + seconds, 0);
}
