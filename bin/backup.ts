import { HoldfastError } from '../src/base/errors';
import { createBackup } from '../src/backup/create-backup';
import { planBackup } from '../src/backup/plan-backup';
import { FILES } from '../temporal/dev-server/options';
import { runCommand } from './process';

/** Copies the data folder into the new folder that the command line names. The service may be running meanwhile. */
runCommand('backup', async ({ config, logger }) => {
  const target = process.argv[2];
  if (target === undefined)
    throw new HoldfastError('CONFIGURATION', 'Name the folder to create for the backup');
  const { DATA_DIR: dataDir } = config;
  const { notIncluded, ...plan } = planBackup(config, FILES.database);
  const engineVersion = plan.engineDatabase === undefined ? undefined : FILES.version;
  const { files, startedAt } = await createBackup({ dataDir, target, ...plan, engineVersion });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  logger.info({ dataDir, target, startedAt, files: files.length, bytes }, 'the data is backed up');
  for (const part of notIncluded) logger.warn(`not in the backup: ${part}`);
});
