import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/fixture-project';
import { runModule } from '../../support/run-module';

interface Package {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
}

test('the suites that other releases of Node.js run exist', async () => {
  const { result } = runModule(['checks/other-releases.mjs'], 'return scripts.SUITES_OF_RELEASES;');
  const suites = (await result) as string[];
  expect(suites.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the releases are pinned with their digests, the oldest first, and no host is named', async () => {
  const { result } = runModule(
    ['setup/node-runtimes.mjs'],
    `return scripts.listNodeRuntimes(${JSON.stringify(ROOT)});`,
  );
  expect(await result).toEqual([
    { name: 'node-22', version: expect.stringMatching(/^22\./) },
    { name: 'node-24', version: expect.stringMatching(/^24\./) },
  ]);
  const lockFile = readFileSync(join(ROOT, 'test', 'runtimes', 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lockFile) as { packages: Record<string, Package> };
  const { '': _, ...pinned } = packages;
  for (const one of Object.values(pinned)) {
    expect(one.integrity).toMatch(/^sha512-/);
    expect(one.resolved).toBeUndefined();
  }
});

test('on another platform it says that it is skipped, and does nothing', async () => {
  const { result } = runModule(
    [],
    `Object.defineProperty(process, 'platform', { value: 'darwin' });
     let text = '';
     const write = process.stdout.write;
     process.stdout.write = (chunk) => { text += chunk; return true; };
     await import(${JSON.stringify(join(ROOT, 'scripts', 'checks', 'runtimes.mjs'))});
     process.stdout.write = write;
     return [text, process.exitCode ?? 0];`,
    { HOLDFAST_CACHE_DIR: '/nowhere' },
  );
  expect(await result).toEqual([
    expect.stringMatching(
      /^skipped: other releases of Node\.js: test\/runtimes pins packages for linux-x64 alone, .*\n0 passed, 0 failed, 1 skipped\n$/,
    ),
    0,
  ]);
});
