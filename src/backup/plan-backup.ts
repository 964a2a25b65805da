import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../settings/config';
import { HoldfastError } from '../base/errors';

export interface BackupPlan {
  /** The files of the service's databases in the data folder. */
  readonly databases: readonly string[];
  /** The file of the engine's database in the data folder. Absent if the engine is elsewhere. */
  readonly engineDatabase?: string;
  /** Descriptions of the data that the backup does not contain. */
  readonly notIncluded: readonly string[];
}

const DATABASES = ['holdfast.db', 'memory.db', 'records.db'];

/**
 * Determines which of the service's data is in its folder, from the settings and from the files that exist. With other settings
 * than those of the service, a backup would be almost empty, and operators would notice only when they need it.
 *
 * @param engineDatabase the file of the development server's database
 * @throws HoldfastError `CONFIGURATION` if no database is in the folder although it should be according to the settings
 */
export function planBackup(config: Config, engineDatabase: string): BackupPlan {
  const { DATA_DIR: dataDir, neo4j, externalTemporal, s3 } = config;
  const plan = {
    databases: neo4j === undefined ? DATABASES : [],
    ...(externalTemporal ? {} : { engineDatabase }),
  };
  const expected = [...plan.databases, ...(externalTemporal ? [] : [engineDatabase])];
  const missing = expected.filter((name) => !existsSync(join(dataDir, name)));
  if (expected.length > 0 && missing.length === expected.length) {
    throw new HoldfastError(
      'CONFIGURATION',
      `None of ${expected.join(', ')} is in ${dataDir}: set DATA_DIR, TEMPORAL_ADDRESS and NEO4J_URI to the values of the service`,
    );
  }
  const isElsewhere = config.FILE_ROOT !== join(dataDir, 'files');
  return {
    ...plan,
    notIncluded: [
      ...missing.map((name) => `${name}, because it does not exist`),
      ...(externalTemporal ? ["Temporal's database, because it is elsewhere"] : []),
      ...(neo4j === undefined ? [] : ['the data in Neo4j']),
      ...(s3 === undefined ? [] : [`the data in the bucket ${s3.bucket}`]),
      ...(isElsewhere ? [`the files of FILE_ROOT in ${config.FILE_ROOT}`] : []),
      ...(config.SECRETS_KEY === undefined ? [] : ['SECRETS_KEY']),
    ],
  };
}
