import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeTempDir, type TempDir } from './temp-dir';

const ROOT = resolve(__dirname, '..', '..');

/**
 * Makes a folder with the compiled service and without packages/plain-english, so that npm's link to the package is
 * broken. All other packages are those of this checkout.
 */
export function buildWithoutEnglish(): TempDir {
  const folder = makeTempDir();
  cpSync(join(ROOT, 'dist'), join(folder.path, 'dist'), { recursive: true });
  const modules = join(ROOT, 'node_modules');
  const linked = join(folder.path, 'node_modules');
  mkdirSync(join(linked, '@holdfast'), { recursive: true });
  for (const name of readdirSync(modules)) {
    if (name !== '@holdfast') symlinkSync(join(modules, name), join(linked, name));
  }
  symlinkSync('../../packages/plain-english', join(linked, '@holdfast', 'plain-english'));
  return folder;
}
