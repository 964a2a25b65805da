import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../support/wait';
import { exists } from '../dev-server/fixtures';
import { type FixtureProject, makeFixtureProject } from '../../support/fixture-project';
import { readPid } from '../../support/processes';
import { runModule, type ScriptProcess } from '../../support/run-module';

let project: FixtureProject;
const at = (file: string): string => join(project.path, file);
const started: ScriptProcess[] = [];
beforeEach(() => {
  project = makeFixtureProject();
  project.write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        ...{
          target: 'ES2023',
          lib: ['ES5'],
          skipLibCheck: true,
          module: 'node20',
          rootDir: '.',
          outDir: 'dist',
          strict: true,
          types: [],
        },
        ...{ noUnusedLocals: true, sourceMap: true, incremental: true, tsBuildInfoFile: 'dist/.tsbuildinfo' },
      },
      include: ['src', 'bin'],
    }),
  );
  project.write('package-lock.json', '{}');
  project.write('src/a.ts', 'export const a: number = 1;\n');
  project.write('src/deep/b.ts', 'export const b = 2;\n');
});
afterEach(() => {
  for (const script of started.splice(0)) script.kill();
  project.remove();
});

function run(code: string): ScriptProcess {
  const script = runModule(['setup/build.mjs'], code.replaceAll('ROOT', JSON.stringify(project.path)));
  started.push(script);
  return script;
}
const build = (): ScriptProcess => run('await scripts.ensureBuilt(ROOT);');
const isBuilt = (): Promise<unknown> => run('return scripts.isBuilt(ROOT);').result;

test('builds once, and again only when the content of a source changes', async () => {
  expect(await isBuilt()).toBe(false);
  await build().result;
  expect(readFileSync(at('dist/src/a.js'), 'utf8')).toContain('1');
  expect(await isBuilt()).toBe(true);

  // A fresh clone looks like this: the contents are the same and the times differ.
  utimesSync(at('src/a.ts'), new Date(), new Date());
  const second = build();
  await second.result;
  expect(second.messages()).toBe('');

  project.write('src/a.ts', 'export const a: number = 3;\n');
  expect(await isBuilt()).toBe(false);
  await build().result;
  expect(readFileSync(at('dist/src/a.js'), 'utf8')).toContain('3');
});

test('removes what deleted sources left, and nothing else', async () => {
  await build().result;
  writeFileSync(at('dist/other.json'), '{}');
  rmSync(at('src/deep'), { recursive: true });
  await build().result;
  expect(existsSync(at('dist/src/deep'))).toBe(false);
  expect(existsSync(at('dist/src/a.js'))).toBe(true);
  expect(existsSync(at('dist/other.json'))).toBe(true);
});

test('writes again what was removed from dist/ though the compiler remembers writing it', async () => {
  await build().result;
  rmSync(at('dist/src/a.js'));
  rmSync(at('dist/.build-stamp'));
  await build().result;
  expect(existsSync(at('dist/src/a.js'))).toBe(true);
});

test('type errors fail the build, each time until they are mended', async () => {
  project.write('src/a.ts', "export const a: number = 'text';\n");
  await expect(build().result).rejects.toThrow(/src\/a\.ts\(1,14\): error TS2322[^]*The build failed/);
  await expect(build().result).rejects.toThrow('error TS2322');
  expect(await isBuilt()).toBe(false);
});

test('a build that was killed is done again, after what it left running has ended', async () => {
  const pidFile = at('bundling');
  const tsconfig = readFileSync(at('tsconfig.json'), 'utf8').replace('"bin"', '"worker"');
  project.write('tsconfig.json', tsconfig);
  project.write(
    'worker/build-bundle.ts',
    `declare const process: any, require: any, setInterval: any;
const { existsSync, writeFileSync } = require('fs');
if (!existsSync('bundling')) setInterval(() => undefined, 60_000);
writeFileSync('bundling', String(process.pid));\n`,
  );
  const first = build();
  const bundler = await waitFor(() => readPid(pidFile), {
    what: 'the bundling to begin',
  });
  try {
    first.kill();
    await first.result.catch(() => undefined);
    expect(await isBuilt()).toBe(false);
    const second = build();
    await waitFor(() => second.messages().includes(`waiting for process ${bundler}`), {
      what: 'the second build to wait',
    });
    process.kill(bundler, 'SIGTERM');
    await second.result;
    expect(await isBuilt()).toBe(true);
  } finally {
    if (exists(bundler)) process.kill(bundler, 'SIGKILL');
  }
});

test('runs the bundling script after compiling, and fails with it', async () => {
  const tsconfig = readFileSync(at('tsconfig.json'), 'utf8').replace('"bin"', '"worker"');
  project.write('tsconfig.json', tsconfig);
  project.write('worker/build-bundle.ts', "throw new Error('cannot be bundled');\n");
  await expect(build().result).rejects.toThrow(/cannot be bundled[^]*Bundling the workflows failed/);
  expect(await isBuilt()).toBe(false);
});

test('two at once do the work once', async () => {
  const both = [build(), build()];
  await Promise.all(both.map((script) => script.result));
  const messages = both.map((script) => script.messages()).join('');
  expect(messages.match(/building \(about 1 minute [^\n]*\) \.\.\./g)).toHaveLength(1);
  expect(await isBuilt()).toBe(true);
});

test('a package is built first, into a folder of its own, and its sources are watched until it is removed', async () => {
  const config = JSON.parse(readFileSync(at('tsconfig.json'), 'utf8')) as { compilerOptions: object };
  const composite = { ...config.compilerOptions, composite: true };
  const folders = ['src', 'src/**/*.json', 'gone'];
  project.write('packages/one/package.json', '{ "name": "one", "main": "dist/src/index.js" }');
  project.write(
    'packages/one/tsconfig.json',
    JSON.stringify({ compilerOptions: composite, include: folders }),
  );
  project.write('packages/one/src/index.ts', 'export const one = 1;\n');
  project.write('packages/one/src/left.ts', 'export const left = 1;\n');
  project.write('tsconfig.json', JSON.stringify({ ...config, references: [{ path: 'packages/one' }] }));
  project.write(
    'src/a.ts',
    "import { one } from '../packages/one/src/index';\nexport const a: number = one;\n",
  );
  await build().result;
  expect(existsSync(at('packages/one/dist/src/index.d.ts'))).toBe(true);
  expect(existsSync(at('dist/packages'))).toBe(false);
  expect(await isBuilt()).toBe(true);

  rmSync(at('packages/one/src/left.ts'));
  project.write('packages/one/src/index.ts', 'export const one = 2;\n');
  expect(await isBuilt()).toBe(false);
  await build().result;
  expect(readFileSync(at('packages/one/dist/src/index.js'), 'utf8')).toContain('2');
  expect(existsSync(at('packages/one/dist/src/left.js'))).toBe(false);
  expect(existsSync(at('packages/one/dist/src/left.d.ts'))).toBe(false);

  // The rest can run without the package, so nothing is compiled.
  rmSync(at('packages'), { recursive: true });
  expect(await isBuilt()).toBe(true);

  // A change is compiled although the reference to the package is missing.
  project.write('src/a.ts', 'export const a: number = 3;\n');
  expect(await isBuilt()).toBe(false);
  await build().result;
  expect(readFileSync(at('dist/src/a.js'), 'utf8')).toContain('3');
  expect(await isBuilt()).toBe(true);
});
