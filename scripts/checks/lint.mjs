import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { run } from '../setup/run.mjs';
import { checkCache } from './cache.mjs';

/** What ESLint would find by itself; `eslint.config.mjs` leaves out the same folders. */
const LINTED = /\.[cm]?[jt]sx?$/;
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'data', 'coverage', '.git']);
/** All of these change what the linter says of any file, and so do the files of ROOT_WIDE. */
const SETTINGS = [
  'eslint.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
];
/** Declarations that apply without an import. */
const GLOBAL = /^\s*declare\s+(?:global|module)\b/m;
const ROOT_WIDE = /\.d\.[cm]?ts$|^scripts\/lint-rules\/|(^|\/)(tsconfig|package)\.json$/;
const SPECIFIER = /\b(?:from|import|require)\s*\(?\s*['"]([^'"\n]+)['"]/g;
const OWN_PACKAGE = /^@holdfast\/([^/]+)$/;
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '/index.ts', '/index.js'];

/**
 * Lints the files that have changed since they last passed, and those that import a changed file, directly or not: the
 * linter knows the types of what a file imports. A new clone has no record of files that passed, so all are linted.
 *
 * @param {string} root
 * @param {(line: string) => void} print
 * @returns {Promise<boolean>} whether all files pass
 */
export async function lintChanged(root, print) {
  const file = join(checkCache(root), 'linted.json');
  const digests = lintDigests(root);
  const passed = readPassed(file);
  const changed = Object.keys(digests).filter((path) => digests[path] !== passed[path]);
  if (changed.length === 0) return true;
  const eslint = join(root, 'node_modules', 'eslint', 'bin', 'eslint.js');
  const args = [eslint, '--max-warnings', '0', '--no-warn-ignored', ...changed];
  const { code } = await run(process.execPath, args, { cwd: root, onLine: print });
  if (code !== 0) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(digests));
  return true;
}

function readPassed(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Computes a digest of all that the linter's opinion of a file depends on: the file, what it imports, and the settings.
 *
 * @param {string} root
 * @returns {Record<string, string>} by the path of each file that is linted
 */
export function lintDigests(root) {
  const paths = filesBelow(root, '');
  const texts = new Map(
    paths
      .filter((path) => LINTED.test(path) || path.endsWith('.json'))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
  const contents = new Map([...texts].map(([path, text]) => [path, digestOf(text)]));
  const settings = digestOf(
    [
      process.version,
      ...SETTINGS.map((path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')),
      ...[...texts].filter(([path, text]) => ROOT_WIDE.test(path) || GLOBAL.test(text)).flat(),
    ].join('\0'),
  );
  const imports = new Map([...texts].map(([path, text]) => [path, importsOf(path, text, texts)]));
  const linted = [...texts.keys()].filter((path) => LINTED.test(path));
  return Object.fromEntries(
    linted.map((path) => {
      const parts = [...reachable(path, imports)].sort().map((part) => `${part} ${contents.get(part)}`);
      return [path, digestOf([settings, ...parts].join('\n'))];
    }),
  );
}

/** The files of the project that a file names in its imports, by their extension or without it. */
function importsOf(path, text, texts) {
  return [...text.matchAll(SPECIFIER)].flatMap(([, name]) => {
    const [, ownPackage] = OWN_PACKAGE.exec(name) ?? [];
    if (ownPackage !== undefined)
      return [`packages/${ownPackage}/src/index.ts`].filter((at) => texts.has(at));
    if (!name.startsWith('.')) return [];
    const target = posix.join(posix.dirname(path), name).replace(/\/$/, '');
    // A name without a file is an error of the compiler.
    const targets = [target, target.replace(/\.([cm]?)js$/, '.$1ts')];
    return targets.flatMap((at) => ENDINGS.map((ending) => at + ending)).filter((at) => texts.has(at));
  });
}

function reachable(start, imports) {
  const seen = new Set([start]);
  for (const path of seen) for (const imported of imports.get(path) ?? []) seen.add(imported);
  return seen;
}

/** Paths relative to `root`, sorted. */
function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : filesBelow(root, path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

function digestOf(text) {
  return createHash('sha256').update(text).digest('hex');
}
