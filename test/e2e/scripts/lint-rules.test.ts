import { join } from 'node:path';
import { type FixtureProject, makeFixtureProject, ROOT } from '../../support/fixture-project';

const ASYNC = 'export async function later(): Promise<number> {\n  return Promise.resolve(1);\n}\n';

const FORBIDDEN: [file: string, text: string, rule: string][] = [
  ['workflows/a1.ts', 'export const x = process.pid;\n', 'no-restricted-globals'],
  ['workflows/a2.ts', "export const x = Buffer.from('');\n", 'no-restricted-globals'],
  ['workflows/a3.ts', 'export const x = setImmediate(() => 1);\n', 'no-restricted-globals'],
  ['workflows/a4.ts', "import * as it from 'node:crypto';\nexport const x = it;\n", 'no-restricted-imports'],
  [
    'workflows/a5.ts',
    "import * as it from 'timers/promises';\nexport const x = it;\n",
    'no-restricted-imports',
  ],
  ['workflows/a6.ts', 'export const x = globalThis.process.env;\n', 'no-restricted-syntax'],
  ['workflows/a7.ts', 'let n = 0;\nexport const next = (): number => (n += 1);\n', 'no-restricted-syntax'],
  ['src/contracts/a8.ts', 'export const seen = new Map<string, number>();\n', 'no-restricted-syntax'],
  ['src/templates/a9.ts', 'export const seen: WeakSet<object> = new WeakSet();\n', 'no-restricted-syntax'],
  [
    'workflows/a10.ts',
    'export class Counter {\n  static seen = 0;\n  readonly at = Counter.seen;\n}\n',
    'no-restricted-syntax',
  ],
  [
    'workflows/a11.ts',
    'export class Seen {\n  static readonly all: string[] = [];\n  readonly at = Seen.all;\n}\n',
    'no-restricted-syntax',
  ],
  [
    'workflows/a12.ts',
    'const SEEN: string[] = [];\nexport const see = (id: string): number => SEEN.push(id);\n',
    'holdfast/module-state',
  ],
  [
    'src/contracts/a13.ts',
    'const LAST = { of: { id: 1 } };\nexport function see(id: number): void {\n  LAST.of.id = id;\n}\n',
    'holdfast/module-state',
  ],
  [
    'src/contracts/a14.ts',
    'export const SEEN: Record<string, boolean> = {};\nexport function see(id: string): void {\n  SEEN[id] = true;\n}\n',
    'holdfast/module-state',
  ],
  [
    'src/templates/a15.ts',
    'const WORD = /\\w+/y;\nexport const isWord = (text: string): boolean => WORD.test(text);\n',
    'holdfast/module-state',
  ],
  [
    'src/templates/a16.ts',
    'const WORD = /\\w+/g;\nexport const word = (text: string): string | undefined => WORD.exec(text)?.[0];\n',
    'holdfast/module-state',
  ],
  ['api/e1.ts', "export const x = process.env['PORT'];\n", 'no-restricted-syntax'],
  ['worker/e2.ts', 'export const x = globalThis.process.env;\n', 'no-restricted-syntax'],
  ['temporal/e3.ts', 'export const { env } = process;\n', 'no-restricted-syntax'],
  ['src/e4.ts', "import { env } from 'node:process';\nexport const x = env;\n", 'no-restricted-imports'],
  ['bin/e5.ts', "export const x = process.env['PORT'];\n", 'no-restricted-syntax'],
  ['src/x1.ts', 'export const x = (): never => process.exit(1);\n', 'no-restricted-syntax'],
  ['src/settings/config.ts', 'export const x = (): never => process.exit(1);\n', 'no-restricted-syntax'],
  ['activities/c1.ts', "console.log('');\n", 'no-console'],
  [
    'src/p1.ts',
    `${ASYNC}export function f(): void {\n  later();\n}\n`,
    '@typescript-eslint/no-floating-promises',
  ],
  ['src/p2.ts', 'export const x: any = 1;\n', '@typescript-eslint/no-explicit-any'],
  [
    'src/p3.ts',
    "import { Shape } from './p4';\nexport type X = Shape;\n",
    '@typescript-eslint/consistent-type-imports',
  ],
  [
    'src/p5.ts',
    "export function f(x: 'a' | 'b'): number {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}\n",
    '@typescript-eslint/switch-exhaustiveness-check',
  ],
  ['src/p6.ts', `${'// line\n'.repeat(400)}export const x = 1;\n`, 'max-lines'],
  ['scripts/s1.mjs', 'export const x = nobodyKnows;\n', 'no-undef'],
];

const ALLOWED: [file: string, text: string][] = [
  ['src/p4.ts', 'export interface Shape {\n  a: number;\n}\n'],
  ['workflows/ok1.ts', 'export const now = (): number => Date.now() + Math.random();\n'],
  ['workflows/ok2.ts', "export const some: ReadonlySet<string> = new Set(['a']);\n"],
  [
    'workflows/ok3.ts',
    "const SOME = ['b', 'a'];\nexport const sorted = (): string[] => [...SOME].sort().concat(SOME.slice(0, 1));\n",
  ],
  [
    'workflows/ok4.ts',
    "const WORD = /\\w+/g;\nexport const words = (text: string): string => text.replace(WORD, '');\nexport const is = (text: string): boolean => /\\w/.test(text);\n",
  ],
  [
    'workflows/ok5.ts',
    'export function count(): number[] {\n  const seen: number[] = [];\n  seen.push(1);\n  return seen;\n}\n',
  ],
  [
    'workflows/ok6.ts',
    "export class Name {\n  static readonly first = 'a';\n  readonly at = Name.first;\n}\n",
  ],
  ['bin/ok1.ts', "console.log('');\nprocess.exit(1);\n"],
  ['test/ok1.ts', "export const x = process.env['PORT'];\nconsole.log(x);\n"],
  ['bench/ok1.ts', "export const x = process.env['PORT'];\nconsole.log(x);\n"],
  ['scripts/ok1.mjs', 'console.log(process.env.PORT);\nprocess.exit(1);\n'],
  ['src/ok1.ts', 'export const stop = (): void => {\n  process.exitCode = 1;\n};\n'],
];

interface FileReport {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly message: string }[];
}

let project: FixtureProject;
let reports: FileReport[];
beforeAll(async () => {
  project = makeFixtureProject();
  for (const [file, text] of [...FORBIDDEN, ...ALLOWED]) project.write(file, text);
  const args = ['--config', join(ROOT, 'eslint.config.mjs'), '--format', 'json', '.'];
  reports = JSON.parse(await project.runTool('eslint/bin/eslint.js', args)) as FileReport[];
});
afterAll(() => project.remove());

const brokenBy = (file: string): string[] =>
  (
    reports.find(({ filePath }) => filePath.endsWith(`/${file}`))?.messages ?? [
      { ruleId: 'not linted', message: '' },
    ]
  ).map(({ ruleId, message }) => ruleId ?? message);

test.each(FORBIDDEN.map(([file, , rule]) => [file, rule] as const))('%s breaks %s', (file, rule) => {
  expect(brokenBy(file)).toContain(rule);
});

test.each(ALLOWED)('%s is fine', (file) => {
  expect(brokenBy(file)).toEqual([]);
});
