import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files beside the source folders that change what a build produces. */
const BUILD_FILES = ['tsconfig.json', 'package.json', 'package-lock.json'];

/** The source folders, as tsconfig.json includes them: they are listed nowhere else. */
export function sourceFolders(root) {
  return JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).include;
}

/** Every file of a folder and below, as sorted paths relative to `root`; none if there is no such folder. */
export function filesIn(root, folder) {
  const files = [];
  const visit = (path) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const child = `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(child);
      else if (entry.isFile()) files.push(child);
    }
  };
  try {
    visit(folder);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return files.sort();
}

/**
 * A digest of every input of the build by content: modification times say nothing in a fresh clone or
 * after a change of branch.
 */
export function sourceDigest(root) {
  const hash = createHash('sha256');
  const folders = sourceFolders(root).flatMap((folder) => filesIn(root, folder));
  for (const path of [...BUILD_FILES, ...folders]) {
    let content;
    try {
      content = readFileSync(join(root, path));
    } catch (error) {
      // A file may go between the listing and the reading; the digest then simply lacks it.
      if (error.code !== 'ENOENT') throw error;
      continue;
    }
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
