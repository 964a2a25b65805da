import { openDatabase } from '../../../../src/stores/sqlite/database';
import { migrate, type Migration } from '../../../../src/stores/sqlite/migrate';
import { childMain } from '../../../contract/support/child-main';

interface MigrateArgument {
  readonly path: string;
  readonly migrations: number;
}

/** Opens and migrates a database while other processes do the same; each migration leaves a row. */
childMain(async (argument, gate) => {
  const { path, migrations } = argument as MigrateArgument;
  const list = Array.from({ length: migrations }, (_, index): Migration => {
    return {
      name: `migration ${index}`,
      up: (database) => {
        if (index === 0) database.exec('CREATE TABLE log (migration INTEGER, process INTEGER)');
        database.exec(`CREATE TABLE made_by_${index} (x)`);
        database.prepare('INSERT INTO log VALUES (?, ?)').run(index, process.pid);
      },
    };
  });
  await gate();
  const database = openDatabase(path, { busyTimeoutMs: 10_000 });
  migrate(database, list);
  const version: unknown = database.pragma('user_version', { simple: true });
  database.close();
  return version;
});
