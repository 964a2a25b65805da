import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from './deployment';

/**
 * Compiles the client into the `node_modules` of a project, as if it were installed there. Unlike packing it, this may be done
 * by suites at the same time. @returns the folder of the package
 */
export function buildClient(project: string): string {
  const packages = join(project, 'node_modules');
  const installed = join(packages, 'holdfast-client');
  mkdirSync(installed, { recursive: true });
  cpSync(join(PROJECT_ROOT, 'packages', 'client', 'package.json'), join(installed, 'package.json'));
  execFileSync(process.execPath, [
    join(PROJECT_ROOT, 'scripts', 'client', 'build.mjs'),
    join(installed, 'dist'),
  ]);
  for (const dependency of ['eventsource-parser', 'openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(PROJECT_ROOT, 'node_modules', dependency), join(packages, dependency));
  return installed;
}
