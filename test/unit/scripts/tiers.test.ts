import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/fixture-project';
import { runModule } from '../../support/run-module';

interface Project {
  readonly name: string;
  readonly folders: readonly string[];
}
interface Part {
  readonly name: string;
  readonly projects: readonly string[];
}

/** Each area of the API, by its folder in `api/` or its package, and a suite of the tour that covers it. */
const AREAS: Readonly<Record<string, string>> = {
  agent: 'agent',
  agents: 'agents',
  approvals: 'approvals-turns',
  files: 'files',
  health: 'health',
  hooks: 'hooks',
  intents: 'intents-batch',
  keys: 'access',
  mcp: 'mcp-protocol',
  memory: 'memory-episodic',
  'memory-chat': 'memory-chat-history',
  openai: 'openai',
  records: 'records',
  runs: 'run-wait',
  schedules: 'schedules',
  tools: 'tools-execute',
  webhooks: 'webhooks',
  workflows: 'workflow-custom-order',
};

/** Paths of all suites below a folder. */
function suitesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.test.ts')).map((file) => `${folder}/${file}`);
}

/** Runs code with the tiers and the projects of this repository. */
async function evaluate<T>(code: string): Promise<T> {
  const { result } = runModule(
    ['checks/tiers.mjs'],
    `const projects = scripts.readProjects(${JSON.stringify(ROOT)});
    const names = projects.map(({ name }) => name);
    ${code}`,
  );
  return (await result) as T;
}

test('`npm run test:all` runs each suite once, and begins with those of `npm test`', async () => {
  const { projects, all, usual } = await evaluate<{ projects: Project[]; all: Part[]; usual: Part[] }>(
    `return { projects, all: scripts.partsOf('all', names), usual: scripts.partsOf('usual', names) };`,
  );
  expect(all.length).toBe(2);
  expect(all.slice(0, 1)).toEqual(usual);
  const run = all.flatMap((part) => part.projects);
  expect([...run].sort()).toEqual(projects.map(({ name }) => name).sort());
  expect(new Set(run).size).toBe(run.length);

  const suites = [...suitesBelow('test'), ...suitesBelow('packages')];
  const projectsOf = (suite: string): string[] =>
    projects.flatMap(({ name, folders }) =>
      folders.filter((folder) => suite.startsWith(`${folder}/`)).map(() => name),
    );
  expect(suites.filter((suite) => projectsOf(suite).length !== 1)).toEqual([]);
});

/** What starts a server that needs Java, Go or a database. */
const NEEDS_MORE = /\b(?:use(?:Patient)?Neo4j|startNeo4j|startS3|startCluster)\(/;

test('the suites of `npm test` need no server but Temporal', async () => {
  const [usual] = await evaluate<Project[][]>(
    `const [{ projects: usual }] = scripts.partsOf('usual', names);
    return [projects.filter(({ name }) => usual.includes(name) && name !== 'unit')];`,
  );
  const suites = (usual ?? []).flatMap(({ folders }) => folders.flatMap(suitesBelow));
  expect(suites.length).toBeGreaterThan(50);
  expect(suites.filter((path) => NEEDS_MORE.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
});

test('the tour covers each area of the API, and a killed process', () => {
  const areas = ['api', 'packages']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { withFileTypes: true }))
    .filter(
      (entry) => entry.isDirectory() && !['http', 'plain-english', 'client', 'console'].includes(entry.name),
    )
    .map(({ name }) => name);
  expect(Object.keys(AREAS).sort()).toEqual(areas.sort());
  const isToured = (area: string, suite: string): boolean =>
    ['test/tour', `packages/${area}/test/tour`].some((folder) =>
      existsSync(join(ROOT, folder, `${suite}.test.ts`)),
    );
  const suites = Object.entries({ ...AREAS, killed: 'approvals-killed' });
  expect(suites.filter(([area, suite]) => !isToured(area, suite))).toEqual([]);
});

test.each([
  [[], { tier: 'usual', jestArgs: [] }],
  [['--tier', 'all'], { tier: 'all', jestArgs: [] }],
  [['--tier', 'unit', 'calculator'], { tier: 'unit', jestArgs: ['calculator'] }],
  [['calculator'], { jestArgs: ['calculator'] }],
  [['--selectProjects', 'e2e'], { jestArgs: ['--selectProjects', 'e2e'] }],
])('the arguments %j', async (args, read) => {
  expect(await evaluate(`return scripts.readArguments(${JSON.stringify(args)});`)).toEqual(read);
});
