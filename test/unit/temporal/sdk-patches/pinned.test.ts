import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '..', '..', '..', '..');

/** A patch uses parts of the SDK that another version may not have, so a version is chosen by hand. */
test('all packages of the SDK are pinned to one version', () => {
  const { dependencies } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const versions = Object.entries(dependencies)
    .filter(([name]) => name.startsWith('@temporalio/'))
    .map(([, version]) => version);
  expect(versions.length).toBeGreaterThan(5);
  expect([...new Set(versions)]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
});
