import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { bundleConsole } from './console.mjs';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { projectLock } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';
import { filesIn, projects, sourceDigests } from './sources.mjs';
import { writeWhole } from './write-whole.mjs';

const stampFile = (root) => join(root, 'dist', '.build-stamp');
const SOURCE = /\.[cm]?tsx?$/;
/** What a build costs that has nothing of an earlier one. */
export const buildCost = (root) => ({ minutes: 1, folder: join(root, 'dist'), keeps: 30 });

/** What the compiler writes: code, the declarations of a package, and the source maps of both. */
const OUTPUT = /(\.[cm]?js|\.d\.[cm]?ts)(\.map)?$/;

/**
 * True when a complete build has made dist/ from exactly the present sources. A package that was removed since then
 * needs no new build, because the service runs without it.
 */
export function isBuilt(root) {
  try {
    const built = JSON.parse(readFileSync(stampFile(root), 'utf8'));
    return Object.entries(sourceDigests(root)).every(([project, digest]) => built[project] === digest);
  } catch {
    return false;
  }
}

/**
 * Compiles the sources and bundles the workflows, unless dist/ is already built from these sources. The build removes
 * its stamp first and writes it last, so that the next build starts again after one that was interrupted.
 *
 * @param {string} root
 * @param {{ force?: boolean }} [options]
 * @throws {SetupError} with the compiler's messages on type errors
 */
export async function ensureBuilt(root, options = {}) {
  if (!options.force && isBuilt(root)) return;
  await withLock(projectLock(root), 'builds', async (lock) => {
    if (!options.force && isBuilt(root)) return;
    rmSync(stampFile(root), { force: true });
    // The digests are taken before compiling, so that the stamp does not match a file that is edited meanwhile.
    const digests = sourceDigests(root);
    const onStart = (pid) => lock.include(pid);
    await withProgress(
      'building',
      async () => {
        await compile(root, onStart);
        await bundleWorkflows(root, onStart);
        await bundleConsole(root);
      },
      { cost: buildCost(root) },
    );
    writeWhole(stampFile(root), JSON.stringify(digests));
  });
}

async function compile(root, onStart) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  await runCompiler(root, onStart);
  removeStaleOutputs(root);
  // The compiler trusts its record of the files it has written. If such files were removed, the record has to go
  // too.
  if (missingOutput(root) === undefined) return;
  for (const { path } of projects(root)) rmSync(join(root, path, 'dist', '.tsbuildinfo'), { force: true });
  await runCompiler(root, onStart);
  const missing = missingOutput(root);
  if (missing) throw new SetupError(`The compiler wrote nothing for ${missing}: is it in tsconfig.json?`);
}

async function runCompiler(root, onStart) {
  const lines = [];
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const result = await run(process.execPath, [compiler, '-b', compilerConfig(root)], {
    cwd: root,
    onStart,
    onLine: (line) => lines.push(line),
  });
  if (result.code !== 0) throw new SetupError(`${lines.join('\n')}\n\nThe build failed: type errors above.`);
}

/**
 * The configuration to compile with: the project's, or, if it refers to a package that was removed, one without these
 * references. The compiler refuses a reference to a project that does not exist.
 */
function compilerConfig(root) {
  const { references = [] } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const present = projects(root).filter(({ path }) => path !== '');
  if (present.length === references.length) return join(root, 'tsconfig.json');
  const config = join(root, 'dist', 'tsconfig.json');
  const rest = present.map(({ path }) => ({ path: `../${path}` }));
  writeWhole(config, JSON.stringify({ extends: '../tsconfig.json', references: rest }));
  return config;
}

/** Bundles the workflows once, so that no worker has to do it when it starts. */
async function bundleWorkflows(root, onStart) {
  const script = join(root, 'dist', 'worker', 'build-bundle.js');
  if (!existsSync(script)) return;
  const result = await run(process.execPath, [script], { cwd: root, onStart });
  if (result.code !== 0) throw new SetupError(`${result.tail}\n\nBundling the workflows failed (above).`);
}

/** The path to which the compiler writes the output of the source file or folder at `path` of a project. */
const inDist = (project, path) => posix.join(project, 'dist', posix.relative(project, path));

const outputOf = (project, source) => inDist(project, source.replace(/\.([cm]?)tsx?$/, '.$1js'));

const compiledSources = (root, { folders }) =>
  folders
    .flatMap((folder) => filesIn(root, folder))
    .filter((path) => SOURCE.test(path) && !/\.d\.[cm]?ts$/.test(path));

function missingOutput(root) {
  return projects(root)
    .flatMap((project) =>
      compiledSources(root, project).filter((path) => !existsSync(join(root, outputOf(project.path, path)))),
    )
    .at(0);
}

/** Removes the output of deleted sources, so that no module can import it from dist/ any longer. */
function removeStaleOutputs(root) {
  for (const project of projects(root)) {
    const wanted = new Set(compiledSources(root, project).map((path) => outputOf(project.path, path)));
    const isStale = (path) =>
      OUTPUT.test(path) && !wanted.has(path.replace(/\.map$/, '').replace(/\.d\.([cm]?)ts$/, '.$1js'));
    for (const folder of project.folders) {
      const outputs = inDist(project.path, folder);
      for (const path of filesIn(root, outputs).filter(isStale)) rmSync(join(root, path));
      removeEmptyFolders(join(root, outputs));
    }
  }
}

function removeEmptyFolders(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
