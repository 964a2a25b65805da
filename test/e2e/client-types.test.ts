import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../support/deployment';

test('the types of the client are those of the OpenAPI documents; `npm run client:types` writes them', () => {
  const script = join(PROJECT_ROOT, 'scripts', 'client', 'generate.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr.replaceAll(/^setup: .*\n/gm, '')]).toEqual([0, '']);
}, 120_000);
