import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PROJECT_ROOT } from '../../support/deployment';
import { makeTempDir } from '../../support/temp-dir';

test('what no process loads leaves the image, and what a package is given away under stays', () => {
  const dir = makeTempDir();
  try {
    const folder = join(dir.path, 'node_modules', '@scope', 'one');
    mkdirSync(folder, { recursive: true });
    const kept = ['LICENSE.md', 'Licence.markdown', 'NOTICE.md', 'copying', 'index.js', 'package.json'];
    const left = ['README.md', 'index.js.map', 'index.d.ts', 'CHANGELOG.markdown'];
    for (const name of [...kept, ...left]) writeFileSync(join(folder, name), '');
    const script = resolve(PROJECT_ROOT, 'deploy/image/trim-packages.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script], { cwd: dir.path, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(readdirSync(folder).sort()).toEqual([...kept].sort());
  } finally {
    dir.remove();
  }
});
