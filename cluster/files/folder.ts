import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../src/settings/config';
import { HoldfastError, messageOf } from '../../src/base/errors';

const OTHERS = 0o007;

/** The folder in which the servers of the cluster keep their data. */
export const clusterFolder = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'cluster');

/** The folder of Neo4j's data inside the cluster's folder. */
export const neo4jFolder = (folder: string): string => join(folder, 'neo4j');

/**
 * Creates the folder so that no other user can open it, because it holds all data of the service's users.
 * `makeFolderFor` later lets the user that runs PostgreSQL reach its own folder. A data folder that already exists
 * keeps its mode.
 *
 * @returns the path of the folder
 * @throws HoldfastError `CONFIGURATION` if it cannot be created
 */
export function makeClusterFolder(config: Pick<Config, 'DATA_DIR'>): string {
  const folder = clusterFolder(config);
  try {
    mkdirSync(dirname(config.DATA_DIR), { recursive: true });
    for (const path of [config.DATA_DIR, folder, neo4jFolder(folder)])
      mkdirSync(path, { recursive: true, mode: 0o700 });
    if ((statSync(folder).mode & OTHERS) !== 0) chmodSync(folder, 0o700);
    chmodSync(neo4jFolder(folder), 0o700);
    return folder;
  } catch (error) {
    throw new HoldfastError(
      'CONFIGURATION',
      `DATA_DIR (${config.DATA_DIR}) cannot be used: ${messageOf(error)}`,
    );
  }
}
