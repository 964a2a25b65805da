// The checks that run no code of the project: types, lint, format, folder boundaries.
import { runChecks, staticChecks } from './checks/static.mjs';
import { PROJECT_ROOT } from './setup/paths.mjs';

if (runChecks(staticChecks(PROJECT_ROOT)).failed > 0) process.exitCode = 1;
