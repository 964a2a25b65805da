import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Finds the folder that holds the headers of the running Node.js (`include/node/node_version.h`); undefined if
 * there are no such headers. node-gyp compiles native packages without a prebuilt binary against them, and need not
 * download its own copy.
 */
export function findNodeHeaders(execPath = process.execPath, version = process.versions.node) {
  const folder = dirname(dirname(execPath));
  try {
    const text = readFileSync(join(folder, 'include', 'node', 'node_version.h'), 'utf8');
    const part = (name) => new RegExp(`^#define NODE_${name}_VERSION (\\d+)`, 'm').exec(text)?.[1];
    const found = ['MAJOR', 'MINOR', 'PATCH'].map(part).join('.');
    return found === version ? folder : undefined;
  } catch {
    return undefined;
  }
}
