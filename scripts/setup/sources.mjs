import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { CONSOLE, CONSOLE_SOURCES } from './console.mjs';

/** Files beside the source folders of a project that change what a build produces. */
const BUILD_FILES = ['tsconfig.json', 'package.json', 'package-lock.json'];

/**
 * Lists the projects that a build compiles, in its order: the packages that tsconfig.json refers to, and then the
 * root itself, whose `path` is ''. The sources of each are the folders that its tsconfig.json includes. A package
 * that was removed is left out.
 *
 * @returns {{ path: string, folders: string[] }[]} with all paths relative to `root`
 */
export function projects(root) {
  const read = (path) => JSON.parse(readFileSync(join(root, path, 'tsconfig.json'), 'utf8'));
  const packages = (read('').references ?? []).map(({ path }) => path);
  const paths = [...packages.filter((path) => existsSync(join(root, path, 'tsconfig.json'))), ''];
  return paths.map((path) => {
    // Entries with a pattern name data files in these folders.
    const folders = read(path).include.filter((folder) => !folder.includes('*'));
    return { path, folders: folders.map((folder) => posix.join(path, folder)) };
  });
}

/** The source folders of all projects. */
export function sourceFolders(root) {
  return projects(root).flatMap(({ folders }) => folders);
}

/**
 * Lists the files of a folder and its subfolders, as sorted paths relative to `root`; empty if the folder does not
 * exist.
 */
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
 * Computes a digest of all inputs of the build, by the path of each project. It uses the content of the files, because
 * modification times mean nothing in a new clone or after a change of branch.
 *
 * @returns {Record<string, string>}
 */
export function sourceDigests(root) {
  const isThere = existsSync(join(root, CONSOLE, 'tsconfig.json'));
  // The compiler does not build the console, which is bundled for browsers.
  const bundled = isThere ? [{ path: CONSOLE, folders: CONSOLE_SOURCES }] : [];
  return Object.fromEntries(
    [...projects(root), ...bundled].map((project) => [project.path, computeDigest(root, project)]),
  );
}

function computeDigest(root, { path: projectPath, folders }) {
  const hash = createHash('sha256');
  const files = [
    ...BUILD_FILES.map((file) => posix.join(projectPath, file)),
    ...folders.flatMap((folder) => filesIn(root, folder)),
  ];
  for (const path of files) {
    let content;
    try {
      content = readFileSync(join(root, path));
    } catch (error) {
      // A file may be removed between the listing and the reading. The digest then leaves it out.
      if (error.code !== 'ENOENT') throw error;
      continue;
    }
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
