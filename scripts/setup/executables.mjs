import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function isOnPath(name, env) {
  return (env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, name)));
}
