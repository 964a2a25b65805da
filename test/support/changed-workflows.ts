import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '..', '..');
/** All files that a workflow may import. */
const BUNDLED = [
  'workflows',
  'packages/records/workflows',
  'src/contracts',
  'src/templates',
  'src/base/text',
  'src/base/json/bounds.ts',
  'src/base/json/scan.ts',
  'src/base/json/sorted.ts',
];

/** A change of a workflow's source. Each pattern has to occur once. */
export interface SourceChange {
  /** The file, relative to `workflows/`. */
  readonly file: string;
  readonly edits: readonly (readonly [pattern: string | RegExp, replacement: string])[];
}

/** Bundles a copy of today's workflows with `changes` in `dir`, an empty folder. @returns the bundle's file */
export async function bundleChanged(dir: string, changes: readonly SourceChange[]): Promise<string> {
  for (const folder of BUNDLED) cpSync(join(ROOT, folder), join(dir, folder), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  for (const { file, edits } of changes) {
    const path = join(dir, 'workflows', file);
    writeFileSync(path, edits.reduce(edited, readFileSync(path, 'utf8')));
  }
  const bundle = join(dir, 'bundle.js');
  // The bundler runs in a separate process, because it loads modules without jest's module system.
  const script = `const workflows = process.argv[1];
    require('@temporalio/worker')
    .bundleWorkflowCode({
      workflowsPath: workflows,
      workflowInterceptorModules: [process.argv[3]],
      preloadModules: [workflows, process.argv[3]],
      logger: new (require('@temporalio/worker').DefaultLogger)('ERROR'),
    })
    .then(({ code }) => require('fs').writeFileSync(process.argv[2], code))
    .catch((error) => { console.error(error); process.exitCode = 1; });`;
  const [workflows, interceptors] = ['index.ts', 'interceptors.ts'].map((file) =>
    join(dir, 'workflows', file),
  );
  await promisify(execFile)(process.execPath, ['-e', script, workflows!, bundle, interceptors!], {
    cwd: ROOT,
  });
  return bundle;
}

function edited(source: string, [pattern, replacement]: SourceChange['edits'][number]): string {
  const found =
    typeof pattern === 'string'
      ? source.split(pattern).length - 1
      : [...source.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))].length;
  if (found !== 1) throw new Error(`${String(pattern)} is there ${found} times, not once: ${source}`);
  return source.replace(pattern, replacement);
}

/**
 * Makes a build with changed workflows in `dir`, an empty folder, for `spawnPart`. All other files are the repository's.
 * @returns the root of the build
 */
export async function buildChanged(dir: string, changes: readonly SourceChange[]): Promise<string> {
  const dist = join(ROOT, 'dist');
  if (!existsSync(join(dist, 'workflow-bundle.js'))) throw new Error('there is no build; run npm run build');
  const bundle = await bundleChanged(dir, changes);
  cpSync(dist, join(dir, 'dist'), { recursive: true });
  cpSync(bundle, join(dir, 'dist', 'workflow-bundle.js'));
  return dir;
}
