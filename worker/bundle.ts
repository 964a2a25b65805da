import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { HoldfastError } from '../src/base/errors';

/** The bundled workflows, in the root of the build. */
export const BUNDLE_FILE = resolve(__dirname, '..', 'workflow-bundle.js');

/**
 * Finds the bundle that the build has written.
 * @throws HoldfastError `CONFIGURATION` if the project was not built
 */
export function findBundle(): { codePath: string } {
  if (!existsSync(BUNDLE_FILE)) {
    throw new HoldfastError(
      'CONFIGURATION',
      `The workflow bundle ${BUNDLE_FILE} is missing; run npm run build`,
    );
  }
  return { codePath: BUNDLE_FILE };
}
