import { join } from 'node:path';

/** The folder in which checks record what has passed. It goes with the packages whose versions the record depends on. */
export function checkCache(root) {
  return join(root, 'node_modules', '.cache', 'holdfast');
}
