// The checks that run no code of the project: types, lint, format, folder boundaries.
import { runChecks, staticChecks } from './checks/static.mjs';
import { PROJECT_ROOT } from './setup/paths.mjs';

const { failed } = await runChecks(staticChecks(PROJECT_ROOT));
if (failed > 0) process.exitCode = 1;
