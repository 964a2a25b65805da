import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..', '..', '..');
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'data', 'coverage', '.git']);

const CODE = /\.(ts|mjs|cjs|js|ya?ml|example)$/;
const FENCED_CODE = /^ *```[\s\S]*?^ *```/gm;
const LINK = /\]\((?!https?:)([^)\s#]*)(?:#([^)\s]*))?\)/g;
/** A file or folder of the project that a document names, such as `src/base/ids.ts` or `deploy/`. */
const NAMED_PATH =
  /`((?:api|workflows|activities|worker|temporal|src|bin|deploy|bench|test|scripts|docs|packages)\/[\w./-]*)`/g;
const NAMED_DOCUMENT = /\bdocs\/[\w/-]+\.md\b/g;

function filesIn(folder: string, isWanted: (path: string) => boolean): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : filesIn(path, isWanted);
    return isWanted(path) ? [path] : [];
  });
}

const documents = filesIn(ROOT, (path) => path.endsWith('.md'));

/** Folders that a path in `document` may be relative to: its package, and the project. */
function rootsOf(document: string): string[] {
  const [root] = /^.*[/]packages[/][^/]+/.exec(document) ?? [];
  return root === undefined ? [ROOT] : [root, ROOT];
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/** The anchor of a heading, as GitHub and most viewers build it. */
function anchorOf(heading: string): string {
  return heading
    .replace(/[`*_]|\[|\]\([^)]*\)/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
}

function hasAnchor(document: string, anchor: string): boolean {
  const headings = read(document)
    .replace(FENCED_CODE, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].some(([, heading = '']) => anchorOf(heading) === anchor);
}

/** Why the target of a link in `document` does not exist; undefined if it does. */
function problemOf(document: string, target: string, anchor: string | undefined): string | undefined {
  const file = target === '' ? document : resolve(dirname(document), target);
  if (!existsSync(file)) return `${target} does not exist`;
  if (anchor === undefined || statSync(file).isDirectory()) return undefined;
  return hasAnchor(file, anchor) ? undefined : `${target} has no heading #${anchor}`;
}

test('every link between documents leads to a file, and to a heading where it names one', () => {
  const broken = documents.flatMap((document) =>
    [...read(document).replace(FENCED_CODE, '').matchAll(LINK)].flatMap(([, target = '', anchor]) => {
      const problem = problemOf(document, target, anchor);
      return problem === undefined ? [] : [`${relative(ROOT, document)}: ${problem}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('every file and folder of the project that a document names exists', () => {
  const missing = documents
    .filter((document) => !document.endsWith('CHANGELOG.md'))
    .flatMap((document) =>
      [...read(document).matchAll(NAMED_PATH)]
        .filter(([, path = '']) => !rootsOf(document).some((root) => existsSync(join(root, path))))
        .map(([, path = '']) => `${relative(ROOT, document)}: ${path}`),
    );
  expect(missing).toEqual([]);
});

test('every document that code, messages or configuration name exists', () => {
  // The suites of the scripts contain names of projects and documents that they invent.
  const isWanted = (path: string) => CODE.test(path) && !path.startsWith(join(ROOT, 'test/unit/scripts/'));
  const missing = filesIn(ROOT, isWanted).flatMap((path) =>
    [...read(path).matchAll(NAMED_DOCUMENT)]
      .filter(([named]) => !existsSync(join(ROOT, named)))
      .map(([named]) => `${relative(ROOT, path)}: ${named}`),
  );
  expect(missing).toEqual([]);
});
