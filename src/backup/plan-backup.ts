import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../settings/config';
import { HoldfastError } from '../base/errors';

export interface BackupPlan {
  /** Files of our own databases in the data folder. */
  readonly databases: readonly string[];
  /** File of the engine's in the data folder; absent: the engine is elsewhere. */
  readonly engineDatabase?: string;
  /** What a restored service would lack, a line each. */
  readonly notInIt: readonly string[];
}

const DATABASES = ['holdfast.db', 'memory.db', 'records.db'];
/** Where `npm run cluster` has the data of its servers. */
const CLUSTER = 'cluster';

/**
 * What of the service's data is in its folder, by the settings and by what is there: under other settings than the service's
 * own a backup would hold next to nothing, and nobody would know before it is needed.
 *
 * @param engineDatabase file of the development server's database
 * @throws HoldfastError `CONFIGURATION` where the data is a cluster's, whose servers have backups of their own, or where no
 *   database is in the folder although the settings say that they are
 */
export function planBackup(config: Config, engineDatabase: string): BackupPlan {
  const { DATA_DIR: dataDir, neo4j, externalTemporal, s3 } = config;
  const plan = {
    databases: neo4j === undefined ? DATABASES : [],
    ...(externalTemporal ? {} : { engineDatabase }),
  };
  if (existsSync(join(dataDir, CLUSTER)) && (neo4j === undefined || !externalTemporal)) {
    throw new HoldfastError(
      'CONFIGURATION',
      `${join(dataDir, CLUSTER)} holds the data of a cluster's PostgreSQL and Neo4j, which this does not copy: ` +
        'dump them as docs/operators/backup.md says, then name them by TEMPORAL_ADDRESS and NEO4J_URI to copy the rest',
    );
  }
  const expected = [...plan.databases, ...(externalTemporal ? [] : [engineDatabase])];
  const missing = expected.filter((name) => !existsSync(join(dataDir, name)));
  if (expected.length > 0 && missing.length === expected.length) {
    throw new HoldfastError(
      'CONFIGURATION',
      `None of ${expected.join(', ')} is in ${dataDir}: set DATA_DIR, TEMPORAL_ADDRESS and NEO4J_URI as the service has them`,
    );
  }
  const isElsewhere = config.FILE_ROOT !== join(dataDir, 'files');
  return {
    ...plan,
    notInIt: [
      ...missing.map((name) => `${name}, as it is not there`),
      ...(externalTemporal ? ["Temporal's database, as it is elsewhere"] : []),
      ...(neo4j === undefined ? [] : ['the data in Neo4j']),
      ...(s3 === undefined ? [] : [`what is in the bucket ${s3.bucket}`]),
      ...(isElsewhere ? [`the files of FILE_ROOT in ${config.FILE_ROOT}`] : []),
      ...(config.SECRETS_KEY === undefined ? [] : ['SECRETS_KEY']),
    ],
  };
}
