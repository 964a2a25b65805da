import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '..', '..', '..');

test('docs/operators/configuration.md is what the schema of the settings says', () => {
  const script =
    "import { configurationPage } from './scripts/configuration.mjs'; process.stdout.write(configurationPage());";
  const page = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(readFileSync(resolve(ROOT, 'docs/operators/configuration.md'), 'utf8')).toBe(page);
});
