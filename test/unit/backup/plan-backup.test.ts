import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BackupPlan, planBackup } from '../../../src/backup/plan-backup';
import { loadConfig } from '../../../src/settings/config';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

const NEO4J = { NEO4J_URI: 'bolt://127.0.0.1:7687', NEO4J_PASSWORD: 'a password' };
const TEMPORAL = { TEMPORAL_ADDRESS: '127.0.0.1:7233' };
const OWN = ['holdfast.db', 'memory.db', 'records.db'];

let dir: TempDir;

beforeEach(() => {
  dir = makeTempDir();
});
afterEach(() => dir.remove());

const put = (...names: string[]): void => {
  for (const name of names) writeFileSync(join(dir.path, name), '');
};
const plan = (settings: Record<string, string> = {}): BackupPlan =>
  planBackup(loadConfig({ DATA_DIR: dir.path, ...settings }), 'temporal.db');

test('of an embedded service all databases are taken, and nothing is told', () => {
  put(...OWN, 'temporal.db');
  expect(plan()).toEqual({ databases: OWN, engineDatabase: 'temporal.db', notIncluded: [] });
});

test('what is elsewhere is not taken, and told', () => {
  put('secrets.key');
  const settings = {
    ...NEO4J,
    ...TEMPORAL,
    S3_BUCKET: 'values',
    FILE_ROOT: '/srv/files',
    SECRETS_KEY: 'ab'.repeat(32),
  };
  expect(plan(settings)).toEqual({
    databases: [],
    notIncluded: [
      "Temporal's database, because it is elsewhere",
      'the data in Neo4j',
      'the data in the bucket values',
      'the files of FILE_ROOT in /srv/files',
      'SECRETS_KEY',
    ],
  });
});

test('a database that is missing is told', () => {
  put('holdfast.db', 'memory.db', 'temporal.db');
  expect(plan().notIncluded).toEqual(['records.db, because it does not exist']);
  put('records.db');
  expect(plan().notIncluded).toEqual([]);
});

test.each([
  ['everything embedded', {}, [...OWN, 'temporal.db']],
  ['stores embedded', TEMPORAL, OWN],
  ['the engine embedded', NEO4J, ['temporal.db']],
])('a folder without any of the databases is refused with %s', (_, settings, names) => {
  put('secrets.key');
  expect(() => plan(settings)).toThrow(`None of ${names.join(', ')} is in ${dir.path}: set DATA_DIR`);
});
