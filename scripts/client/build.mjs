// Compiles packages/client into the folders esm and cjs of packages/client/dist, or of the folder that is its argument, from
// scratch, and copies the license. `npm pack` calls it before it packs.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runMain, SetupError } from '../setup/errors.mjs';
import { PROJECT_ROOT } from '../setup/paths.mjs';
import { run } from '../setup/run.mjs';

const CLIENT = join(PROJECT_ROOT, 'packages', 'client');
const TARGET = process.argv[2] ?? join(CLIENT, 'dist');
/** The commands use Node.js, so that their types are not those of the client, which is compiled after them. */
const PROJECTS = [
  ['src/cli/tsconfig.json', 'esm'],
  ['tsconfig.json', 'esm'],
  ['tsconfig.cjs.json', 'cjs'],
];
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');

await runMain(async () => {
  rmSync(TARGET, { recursive: true, force: true });
  for (const [project, folder] of PROJECTS) {
    const { code, tail } = await run(process.execPath, [
      compiler,
      ...['-p', join(CLIENT, project), '--outDir', join(TARGET, folder)],
    ]);
    if (code !== 0) throw new SetupError(`${tail}\n\n${project} does not compile (code ${code}).`);
  }
  copyFileSync(join(PROJECT_ROOT, 'LICENSE'), join(CLIENT, 'LICENSE'));
  // The package is of the type `module`; this part of it is not.
  writeFileSync(join(TARGET, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
});
