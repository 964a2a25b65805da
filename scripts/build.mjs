// Compiles the sources and bundles the workflows into dist/, whether or not they have changed.
import { ensureBuilt } from './setup/build.mjs';
import { runMain } from './setup/errors.mjs';
import { PROJECT_ROOT } from './setup/paths.mjs';

await runMain(() => ensureBuilt(PROJECT_ROOT, { force: true }));
