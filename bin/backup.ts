import { HoldfastError } from '../src/errors';
import { createBackup } from '../src/backup/create-backup';
import { FILES } from '../temporal/dev-server/options';
import { runProcess } from './process';

const DATABASES = ['holdfast.db', 'memory.db', 'records.db'];

/** Copies the data folder into a new one, named on the command line, while the service may be running. */
runProcess('backup', async ({ config, logger }) => {
  const target = process.argv[2];
  if (target === undefined) throw new HoldfastError('CONFIGURATION', 'Name the folder to make');
  const { files, startedAt } = await createBackup({
    dataDir: config.DATA_DIR,
    target,
    databases: config.neo4j === undefined ? DATABASES : [],
    engineDatabase: config.externalTemporal ? undefined : FILES.database,
  });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  logger.info({ target, startedAt, files: files.length, bytes }, 'the data is backed up');
  if (config.externalTemporal) logger.warn("Temporal's database is elsewhere, and not in it");
  if (config.neo4j) logger.warn('the data in Neo4j is not in it');
  if (config.s3) logger.warn({ bucket: config.s3.bucket }, 'what is in the bucket is not in it');
  if (config.SECRETS_KEY !== undefined) logger.warn('SECRETS_KEY is not in it');
  process.kill(process.pid, 'SIGTERM');
});
