import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFolderCycles } from '../../support/folder-cycles';
import { type FixtureProject, makeFixtureProject, ROOT } from '../../support/fixture-project';

const FOLDERS = [
  'api',
  'requests',
  'workflows',
  'activities',
  'worker',
  'src',
  'packages/mcp',
  'packages/records',
  'packages/plain-english/src',
  'temporal',
  'bin',
  'bench',
  'test',
];
/** Folders within them, for the rules of their order. */
const ROOMS = [
  'api/agent',
  'api/http',
  'api/http/middleware',
  'api/memory',
  'api/runs',
  'api/tools',
  'packages/mcp/client',
  'packages/mcp/endpoint',
  'packages/records/api',
  'packages/records/bin',
  'packages/records/contracts',
  'packages/records/domain',
  'packages/records/stores',
  'packages/records/stores/neo4j',
  'packages/records/test',
  'src/base',
  'src/memory',
  'src/memory/search',
  'src/stores',
  'src/stores/neo4j',
  'workflows/planner',
  'workflows/steps',
  'workflows/turns',
];

/** What each folder exports for imports by other folders that the rules forbid. */
const TARGETS: Record<string, string> = Object.fromEntries(
  [...FOLDERS, ...ROOMS].map((folder) => [
    `${folder}/target.ts`,
    'export interface Shape { a: number }\nexport const value = 1;\n',
  ]),
);

/** A file that imports the value of `specifier`. */
const importing = (specifier: string): string =>
  `import * as it from '${specifier}';\nexport const x = it;\n`;
const importingType = (specifier: string): string =>
  `import type { Shape } from '${specifier}';\nexport type X = Shape;\n`;

const FORBIDDEN: [file: string, text: string, rule: string][] = [
  ['api/a1.ts', importing('../activities/target'), 'api-imports-only'],
  ['api/a2.ts', importingType('../activities/target'), 'api-imports-only'],
  ['api/a3.ts', importing('../worker/target'), 'api-imports-only'],
  ['api/a4.ts', importing('../workflows/target'), 'api-workflows-types-only'],
  ['api/a5.ts', importing('supertest-of-nobody'), 'no-unresolvable'],
  ['api/http/h1.ts', importing('../tools/target'), 'api-http-imports-only-below'],
  ['api/http/h2.ts', importing('./middleware/target'), 'http-without-its-middleware'],
  ['api/tools/t1.ts', importing('../memory/target'), 'api-tools-imports-only-below'],
  ['api/runs/r1.ts', importing('../tools/target'), 'api-runs-imports-only-below'],
  ['requests/r1.ts', importing('../api/target'), 'requests-imports-only'],
  ['requests/r2.ts', importing('../workflows/target'), 'requests-workflows-types-only'],
  ['requests/r3.ts', importing('koa'), 'requests-without-koa'],
  ['packages/mcp/client/c1.ts', importing('../endpoint/target'), 'packages/mcp/client-imports-only'],
  ['packages/mcp/client/c2.ts', importing('koa'), 'packages/mcp/client-without-koa'],
  [
    'packages/mcp/endpoint/e1.ts',
    importing('../../../worker/target'),
    'packages/mcp/(endpoint|routes)-imports-only',
  ],
  ['api/a7.ts', importing('../packages/mcp/endpoint/target'), 'mcp-by-its-face'],
  ['src/s9.ts', importing('../packages/mcp/client/target'), 'src-imports-only'],
  ['workflows/steps/s1.ts', importing('../planner/target'), 'workflows-steps-imports-only-below'],
  ['workflows/w1.ts', importing('../activities/target'), 'workflows-activities-types-only'],
  ['workflows/w2.ts', importing('../src/target'), 'workflows-imports-only'],
  ['workflows/w3.ts', importing('../temporal/target'), 'workflows-imports-only'],
  ['workflows/w4.ts', importing('zod'), 'workflows-packages'],
  ['workflows/w5.ts', importing('@temporalio/client'), 'workflows-packages'],
  ['workflows/w6.ts', importing('node:crypto'), 'workflows-without-node'],
  ['workflows/w7.ts', importing('fs'), 'workflows-without-node'],
  ['src/contracts/c1.ts', importing('node:crypto'), 'bundled-sources-without-node'],
  ['src/templates/t1.ts', importing('node:os'), 'bundled-sources-without-node'],
  ['activities/a1.ts', importing('../workflows/target'), 'activities-imports-only'],
  ['activities/a2.ts', importing('../api/target'), 'activities-imports-only'],
  ['activities/a3.ts', importing('koa'), 'activities-without-koa'],
  ['activities/a4.ts', importing('@koa/router'), 'activities-without-koa'],
  ['activities/a5.ts', importing('@temporalio/worker'), 'activities-temporal-packages'],
  ['worker/w1.ts', importing('../api/target'), 'worker-imports-only'],
  ['worker/w2.ts', importing('koa'), 'worker-without-koa'],
  ['src/base/b1.ts', importing('../stores/target'), 'src-base-imports-only-below'],
  ['src/stores/s1.ts', importing('../memory/target'), 'src-stores-imports-only-below'],
  ['src/memory/m1.ts', importing('../stores/neo4j/target'), 'adapters-are-joined-by-the-wiring'],
  ['src/memory/m2.ts', importing('../factories/create-target'), 'adapters-are-joined-by-the-wiring'],
  ['src/base/b2.ts', importing('../settings/config'), 'settings-are-read-by-the-wiring'],
  ['src/memory/vectors/v1.ts', importing('../search/target'), 'src-memory-vectors-imports-only-below'],
  ['src/s1.ts', importing('../temporal/target'), 'src-imports-only'],
  ['src/s2.ts', importing('@temporalio/common'), 'src-without-temporal'],
  ['src/s3.ts', importing('koa'), 'src-without-koa'],
  ['src/s4.ts', importingType('../workflows/target'), 'src-imports-only'],
  ['temporal/t1.ts', importing('../activities/target'), 'temporal-imports-only'],
  ['temporal/t2.ts', importing('../api/target'), 'temporal-imports-only'],
  ['temporal/t3.ts', importing('@koa/router'), 'temporal-without-koa'],
  ['worker/w3.ts', importing('../bin/target'), 'bin-is-imported-by-none'],
  ['bin/b1.ts', importing('../test/target'), 'test-is-imported-by-none'],
  ['src/s5.ts', importing('prettier'), 'no-dev-dependencies'],
  ['src/s6.ts', importing('long'), 'no-undeclared-packages'],
  ['src/s7.ts', importing('../packages/plain-english/src/index'), 'plain-english-in-the-wiring-alone'],
  ['src/s8.ts', importing('@holdfast/plain-english'), 'plain-english-in-the-wiring-alone'],
  ['bin/b2.ts', importing('../packages/plain-english/src/index'), 'plain-english-in-the-wiring-alone'],
  ['test/t1.ts', importing('../packages/plain-english/src/target'), 'plain-english-by-its-face'],
  ['packages/plain-english/src/p1.ts', importingType('../../../src/target'), 'plain-english-imports-only'],
  ['packages/records/domain/d1.ts', importing('../api/target'), 'packages-records-domain-imports-only-below'],
  ['packages/records/domain/d2.ts', importing('../../../temporal/target'), 'records-domain-imports-only'],
  ['packages/records/domain/d3.ts', importing('@temporalio/common'), 'records-without-temporal'],
  ['packages/records/domain/d4.ts', importing('../stores/neo4j/target'), 'adapters-are-joined-by-the-wiring'],
  [
    'packages/records/stores/s1.ts',
    importing('../../../src/settings/config'),
    'settings-are-read-by-the-wiring',
  ],
  ['packages/records/contracts/c1.ts', importing('node:crypto'), 'bundled-sources-without-node'],
  ['packages/records/activities.ts', importing('koa'), 'records-without-koa'],
  ['packages/records/index.ts', importing('./api/target'), 'records-index-imports-only'],
  ['packages/records/workflows/w1.ts', importing('../activities'), 'records-workflows-types-only'],
  ['packages/records/workflows/w2.ts', importing('zod'), 'workflows-packages'],
  ['packages/records/api/a1.ts', importing('../../../worker/target'), 'records-api-imports-only'],
  ['packages/records/api/a2.ts', importing('../bin/target'), 'bin-is-imported-by-none'],
  ['packages/records/api/a3.ts', importing('../test/target'), 'test-is-imported-by-none'],
  ['packages/records/api/a4.ts', importing('@holdfast/plain-english'), 'plain-english-in-the-wiring-alone'],
  [
    'workflows/w8.ts',
    importing('../packages/records/workflows/import-records'),
    'records-in-the-wiring-alone',
  ],
  ['api/a6.ts', importing('../packages/records/index'), 'api-imports-only'],
  ['bin/b3.ts', importing('../packages/records/stores/target'), 'records-by-their-faces'],
  ['src/round.ts', importing('./trip'), 'no-circular'],
  ['src/lonely.ts', 'export const nobody = 1;\n', 'no-orphans'],
];

const ALLOWED: [file: string, text: string][] = [
  ['api/ok1.ts', importing('../src/target')],
  ['api/ok2.ts', importing('../temporal/target')],
  ['api/ok3.ts', importingType('../workflows/target')],
  ['api/ok4.ts', importing('koa')],
  ['api/ok5.ts', importing('node:http')],
  ['api/http/middleware/ok1.ts', importing('../target')],
  ['api/tools/ok1.ts', importing('../runs/target')],
  ['api/agent/ok1.ts', importing('../memory/target')],
  ['api/ok6.ts', importing('../requests/target')],
  ['worker/ok4.ts', importing('../requests/target')],
  ['requests/ok1.ts', importing('../temporal/target')],
  ['requests/ok2.ts', importingType('../workflows/target')],
  ['packages/mcp/endpoint/ok1.ts', importing('../../../api/http/target')],
  ['workflows/turns/ok1.ts', importing('../steps/target')],
  ['workflows/ok1.ts', importing('../src/contracts/shape')],
  ['workflows/ok2.ts', importing('../src/templates/text')],
  ['workflows/ok3.ts', importingType('../activities/target')],
  ['workflows/ok4.ts', importing('@temporalio/workflow')],
  ['activities/ok1.ts', importing('../src/target')],
  ['activities/ok2.ts', importing('@temporalio/activity')],
  ['worker/ok1.ts', importing('../activities/target')],
  ['worker/ok2.ts', importing('../workflows/target')],
  ['worker/ok3.ts', importing('../temporal/target')],
  ['src/ok1.ts', importing('zod')],
  ['src/memory/ok1.ts', importing('../stores/target')],
  ['src/memory/ok2.ts', importingType('../stores/neo4j/target')],
  ['src/factories/ok1.ts', importing('../stores/neo4j/target')],
  ['temporal/ok1.ts', importing('../src/target')],
  ['temporal/ok2.ts', importing('@temporalio/client')],
  ['bin/ok1.ts', importing('../api/target')],
  ['bin/plain-english.ts', importing('../packages/plain-english/src/index')],
  ['packages/plain-english/src/ok1.ts', importing('./target')],
  ['bin/ok2.ts', importing('../packages/records/index')],
  ['workflows/index.ts', importing('../packages/records/workflows/import-records')],
  ['packages/records/workflows/import-records.ts', importing('../../../workflows/steps/target')],
  ['packages/records/workflows/ok1.ts', importingType('../contracts/target')],
  ['packages/records/api/ok1.ts', importing('../../../api/http/target')],
  ['packages/records/api/ok2.ts', importing('../domain/target')],
  ['packages/records/domain/ok1.ts', importing('../stores/target')],
  ['packages/records/bin/ok1.ts', importing('../../../bin/target')],
  ['packages/records/test/ok1.ts', importing('../../../test/target')],
  ['test/ok1.ts', importing('jest')],
  ['test/ok2.ts', importing('../packages/plain-english/src/index')],
];

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

let project: FixtureProject;
let violations: Violation[];
beforeAll(async () => {
  project = makeFixtureProject();
  const helpers = {
    'src/contracts/shape.ts': 'export const shape = 1;\n',
    'src/templates/text.ts': 'export const text = 1;\n',
    'src/trip.ts': importing('./round'),
    'src/settings/config.ts': 'export interface Shape { a: number }\nexport const config = 1;\n',
    'src/factories/create-target.ts': 'export const created = 1;\n',
    'packages/plain-english/src/index.ts': 'export const face = 1;\n',
  };
  for (const [file, text] of [...Object.entries({ ...TARGETS, ...helpers }), ...FORBIDDEN, ...ALLOWED]) {
    project.write(file, text);
  }
  const config = join(ROOT, '.dependency-cruiser.cjs');
  const report = await project.runTool('dependency-cruiser/bin/dependency-cruise.mjs', [
    ...['--config', config, '--output-type', 'json'],
    ...FOLDERS,
  ]);
  violations = (JSON.parse(report) as { summary: { violations: Violation[] } }).summary.violations;
});
afterAll(() => project.remove());

const rulesBrokenBy = (file: string): string[] =>
  violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);

test.each(FORBIDDEN.map(([file, , rule]) => [file, rule] as const))('%s breaks %s', (file, rule) => {
  expect(rulesBrokenBy(file)).toContain(rule);
});

test.each(ALLOWED)('%s is allowed', (file) => {
  // No file imports these files, which another rule reports.
  expect(rulesBrokenBy(file).filter((rule) => rule !== 'no-orphans')).toEqual([]);
});

interface Rule {
  readonly name: string;
  readonly from: { readonly path?: string };
  readonly to: { readonly path?: string | readonly string[] };
}

// The rules would not notice a folder that no row of the layers names.
test.each(['api', 'workflows', 'src', 'src/contracts', 'src/memory', 'packages/records'])(
  'each folder of %s is in its layers',
  (parent) => {
    const { forbidden } = jest.requireActual<{ forbidden: readonly Rule[] }>(
      '../../../.dependency-cruiser.cjs',
    );
    const layers = forbidden.filter(({ name }) => name.endsWith('-imports-only-below'));
    const named = layers.flatMap(({ from, to }) => [from.path, to.path].flat());
    const entries = readdirSync(join(ROOT, parent), { withFileTypes: true });
    const folders = entries.filter(
      (entry) => entry.isDirectory() && readdirSync(join(ROOT, parent, entry.name)).length > 0,
    );
    expect(folders.map(({ name }) => `^${parent}/${name}/`).filter((path) => !named.includes(path))).toEqual(
      [],
    );
  },
);

const IN_A_CIRCLE = {
  'a/one.ts': "import { two } from './in/two';\n",
  'a/in/two.ts': "export const two = async () => import('../../b/three');\n",
  'b/three.ts': "export type { Four } from '../a/four';\n",
  'a/four.ts': 'export interface Four { a: number }\n',
};

test('a folder that needs itself through others is found, and those above and below it are not', () => {
  const around = {
    'c/above.ts': "import * as one from '../a/one';\n",
    'a/five.ts': "import * as below from '../d/below';\nimport './four';\n",
    'd/below.ts': 'export const below = 1;\n',
  };
  expect(findFolderCycles(new Map(Object.entries({ ...IN_A_CIRCLE, ...around })))).toEqual([
    'a/in/two.ts -> b/three.ts',
    'a/one.ts -> a/in/two.ts',
    'b/three.ts -> a/four.ts',
  ]);
});

// Dependency-cruiser counts a folder together with those in it, and so sees no circle between the two. The package of English
// is not here: most of its folders still need each other.
test('no folder needs itself through others', () => {
  const folders = FOLDERS.filter((folder) => !/^(packages.plain|bench|test)/.test(folder));
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}/${file}`)
      .filter((file) => !file.startsWith('packages/records/test/')),
  );
  const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  expect(texts.size).toBeGreaterThan(500);
  expect(findFolderCycles(texts)).toEqual([]);
});
