import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../src/settings/config';
import { HoldfastError, messageOf } from '../../src/base/errors';

const OTHERS = 0o007;

/** The folder of what the cluster's own servers keep. */
export const clusterFolder = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'cluster');

/** The folder of Neo4j's data, inside of the cluster's. */
export const neo4jFolder = (folder: string): string => join(folder, 'neo4j');

/**
 * Makes the folder where nobody else may look into it: all that people told the service is there. Who runs PostgreSQL is let
 * through to what is its own when that is made. A data folder that is there already stays as it is.
 *
 * @returns its path
 * @throws HoldfastError `CONFIGURATION` where it cannot be had
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
