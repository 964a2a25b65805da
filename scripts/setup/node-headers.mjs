import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder under which the headers of the running Node.js lie (`include/node/node_version.h`), or undefined. Native
 * packages without a prebuilt binary are then compiled against them, and node-gyp need not download its own copy.
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
