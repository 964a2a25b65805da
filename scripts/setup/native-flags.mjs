import { fileURLToPath } from 'node:url';
import { findNodeHeaders } from './node-headers.mjs';
import { isAtLeast } from './releases.mjs';

/** The first release whose node::ObjectWrap registers a hook (`object-wrap.h`). */
const FIRST_WITH_HOOK = [24, 19];

/** Whether native packages that are compiled for this Node.js need `object-wrap.h`. */
export function needsObjectWrap(version = process.versions.node) {
  return isAtLeast(version.split('.').map(Number), FIRST_WITH_HOOK);
}

/**
 * Adds what compilers of native packages need to an environment: the folder of the Node.js headers for node-gyp, and
 * with releases that need it a file that is included first. A `nodedir` that the user has set takes precedence, and
 * flags that the user has set stay.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [version] of the Node.js for which they compile
 * @returns {NodeJS.ProcessEnv}
 */
export function withNativeFlags(env, version = process.versions.node) {
  const headers = findNodeHeaders();
  const flags = { ...(headers === undefined ? {} : { npm_config_nodedir: headers }), ...env };
  if (!needsObjectWrap(version)) return flags;
  const included = `-include "${fileURLToPath(new URL('object-wrap.h', import.meta.url))}"`;
  return { ...flags, CXXFLAGS: env.CXXFLAGS ? `${env.CXXFLAGS} ${included}` : included };
}
