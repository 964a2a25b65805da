import { HoldfastError } from '../src/base/errors';
import { restoreBackup } from '../src/backup/restore-backup';
import { runCommand } from './process';

/** Copies the backup that the command line names into an empty data folder. */
runCommand('restore', async ({ config, logger }) => {
  const source = process.argv[2];
  if (source === undefined) throw new HoldfastError('CONFIGURATION', 'Name the folder of the backup');
  const { files, startedAt } = await restoreBackup({ source, dataDir: config.DATA_DIR });
  logger.info({ dataDir: config.DATA_DIR, startedAt, files: files.length }, 'the data is restored');
});
