import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './errors.mjs';
import { isAtLeast } from './releases.mjs';

/**
 * Checks that this Node.js is as recent as package.json demands, because npm only warns, and an older one fails later with
 * an error that does not say why.
 *
 * @param {string} root
 * @param {string} [version]
 * @throws {SetupError} if it is older
 */
export function checkNodeVersion(root, version = process.versions.node) {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, ...minimum] = /^>=(\d+)\.(\d+)/.exec(engines.node) ?? [];
  if (isAtLeast(version.split('.').map(Number), minimum.map(Number))) return;
  throw new SetupError(`Node.js ${engines.node} is needed, and this one is ${version} (https://nodejs.org).`);
}
